/** Labelled input with a one-line hint and an error message. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export interface FieldOptions {
  label: string
  hint: string
  value: string
  placeholder?: string
  type?: 'text' | 'url' | 'number'
  required?: boolean
  /** Values to choose from; any other can be typed. */
  suggestions?: readonly string[]
  onInput: (value: string) => void
}

interface FieldProps extends FieldOptions {
  id: string
  fault?: string | undefined
}

/** An address is typed as text: a browser would complain about one that is not finished. */
const TEXT = { text: { type: 'text' }, url: { type: 'text', inputmode: 'url' } } as const

/** Input whose value is reported without the spaces around it. */
export function Field({
  id,
  label,
  hint,
  value,
  placeholder,
  type = 'text',
  required,
  suggestions = [],
  onInput,
  fault,
}: FieldProps) {
  const [typed, setTyped] = useState(value)
  const input = (text: string) => {
    setTyped(text)
    onInput(text.trim())
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(type === 'number' ? { type, min: 1 } : TEXT[type])}
        placeholder={placeholder}
        aria-required={required ? 'true' : undefined}
        aria-invalid={fault === undefined ? undefined : 'true'}
        aria-describedby={`${id}-hint ${id}-fault`}
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        // Spaces at the end stay while the next word is typed.
        value={typed.trim() === value ? typed : value}
        onInput={({ currentTarget }) => input(currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {suggestions.map((one) => (
          <option value={one} key={one} />
        ))}
      </datalist>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="fault" id={`${id}-fault`}>
        {fault}
      </p>
    </div>
  )
}

export interface ChoiceOptions<Value extends string> {
  legend: string
  hint?: string
  value: Value
  choices: readonly { value: Value; label: string; disabled?: boolean }[]
  onChange: (value: Value) => void
}

interface ChoiceProps<Value extends string> extends ChoiceOptions<Value> {
  /** Name of the radio buttons, and beginning of the ids. */
  name: string
  /** Id of an element that describes the choice, instead of the hint. */
  describedBy?: string
  children?: ComponentChildren
}

/** Radio buttons that look like a switch. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, legend, hint, value, choices, onChange, describedBy, children } = props
  return (
    <fieldset class="choice" aria-describedby={describedBy ?? (hint && `${name}-hint`)}>
      <legend>{legend}</legend>
      <div class="options">
        {choices.map((one) => (
          <label class="option" key={one.value}>
            <input
              type="radio"
              name={name}
              value={one.value}
              checked={one.value === value}
              disabled={one.disabled}
              onChange={() => onChange(one.value)}
            />
            <span>{one.label}</span>
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children}
    </fieldset>
  )
}
