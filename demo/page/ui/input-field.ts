/** Labelled input with a one-line hint and an error message. */
import { h } from './create-element'

export interface FieldOptions {
  label: string
  hint: string
  value: string
  placeholder?: string
  type?: 'text' | 'url' | 'number'
  required?: boolean
  onInput: (value: string) => void
}

export interface Field {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  /** Shows an error; undefined removes it. */
  fault(message: string | undefined): void
}

export function field(name: string, options: FieldOptions): Field {
  const { label, hint, value, placeholder, type = 'text', required, onInput } = options
  const input = h('input', {
    id: name,
    type: type === 'number' ? 'number' : 'text',
    inputmode: type === 'url' ? 'url' : undefined,
    min: type === 'number' ? 1 : undefined,
    placeholder,
    'aria-required': required && 'true',
    'aria-describedby': `${name}-hint ${name}-fault`,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    oninput: () => onInput(input.value.trim()),
  })
  input.value = value
  const fault = h('p', { class: 'fault', id: `${name}-fault` })
  const element = h('div', { class: 'field' }, [
    h('label', { for: name }, [label]),
    input,
    h('p', { class: 'hint', id: `${name}-hint` }, [hint]),
    fault,
  ])
  return {
    element,
    input,
    fault(message) {
      fault.textContent = message ?? ''
      if (message === undefined) input.removeAttribute('aria-invalid')
      else input.setAttribute('aria-invalid', 'true')
    },
  }
}

export interface ChoiceOptions<Value extends string> {
  legend: string
  hint?: string
  value: Value
  choices: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** Creates radio buttons that look like a switch. */
export function choice<Value extends string>(name: string, { legend, hint, value, choices, onChange }: ChoiceOptions<Value>): HTMLElement {
  const options = choices.map((one) =>
    h('label', { class: 'option' }, [
      h('input', { type: 'radio', name, value: one.value, checked: one.value === value, onchange: () => onChange(one.value) }),
      h('span', {}, [one.label]),
    ]),
  )
  return h('fieldset', { class: 'choice', 'aria-describedby': hint && `${name}-hint` }, [
    h('legend', {}, [legend]),
    h('div', { class: 'options' }, options),
    hint !== undefined && h('p', { class: 'hint', id: `${name}-hint` }, [hint]),
  ])
}
