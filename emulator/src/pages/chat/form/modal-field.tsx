/** Field of a modal: label, description, control, and the reason for which its value cannot be sent. */
import { amountOf } from '../message/attachments.js'
import { elementId, useChat } from '../shared/chat-context.js'
import { boundsOf, choicesOf, isSelect } from '../shared/choice.js'
import { acceptedTypes, readFile } from '../shared/read-file.js'
import { SelectMenu } from '../shared/select-menu.js'
import { PART, listOf } from '../shared/wire-parts.js'
import { boundsOfField, isKnown, isRequired, type FormField, type FormValue } from './form-parts.js'
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'

interface Props {
  field: FormField
  value: FormValue
  fault: string | undefined
  change: (value: FormValue) => void
}

interface FieldControlProps extends Props {
  id: string
  describedBy: string | undefined
}

export function ModalField(props: Props) {
  const { field, fault } = props
  const { component, label, description } = field
  const id = elementId(useChat(), field.id)
  const describedBy =
    [description && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined
  const Control = controlFor(component.type, isSelect(component))
  const isGroup = component.type === PART.radioGroup || component.type === PART.checkboxGroup
  const words = (
    <span class="words">
      <bdi>{label}</bdi>{' '}
      {component.type !== PART.checkbox &&
        (isRequired(component) ? <Star /> : <span class="quiet">optional</span>)}
    </span>
  )
  const hint = description && (
    <span class="quiet hint" id={`${id}-hint`} dir="auto">
      {description}
    </span>
  )
  const rest = [
    isKnown(component) ? (
      <Control id={id} describedBy={describedBy} {...props} />
    ) : (
      <p class="quiet">component of type {component.type}</p>
    ),
    fault && (
      <span class="fault" id={`${id}-fault`} role="alert">
        {fault}
      </span>
    ),
  ]
  if (isGroup)
    return (
      <fieldset class="field" aria-describedby={describedBy}>
        <legend>{words}</legend>
        {hint}
        {rest}
      </fieldset>
    )
  return (
    <div class={`field${component.type === PART.checkbox ? ' single' : ''}`}>
      <label for={id}>{words}</label>
      {hint}
      {rest}
    </div>
  )
}

function Star() {
  return (
    <span class="star" title="Required">
      <span aria-hidden="true">*</span>
      <span class="visually-hidden">required</span>
    </span>
  )
}

function controlFor(type: number, select: unknown) {
  if (select === true) return SelectControl
  if (type === PART.radioGroup) return RadioGroup
  if (type === PART.checkboxGroup) return CheckboxGroup
  if (type === PART.checkbox) return Checkbox
  return type === PART.fileUpload ? UploadField : TextInput
}

function TextInput({ id, field: { component }, value, fault, describedBy, change }: FieldControlProps) {
  const { style, placeholder, max_length: most } = component
  const text = typeof value === 'string' ? value : ''
  const rest = {
    id,
    placeholder,
    value: text,
    required: isRequired(component),
    'aria-invalid': fault !== undefined,
    'aria-describedby': describedBy,
    dir: 'auto' as const,
    autocomplete: 'off',
  }
  const { length } = Array.from(text)
  return (
    <span class="text-input">
      {style === 2 ? (
        <textarea rows={4} {...rest} onInput={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <input {...rest} onInput={({ currentTarget }) => change(currentTarget.value)} />
      )}
      {most !== undefined && (
        <span class={`quiet count${length > most ? ' over' : ''}`}>
          {length} / {most}
        </span>
      )}
    </span>
  )
}

function SelectControl({
  id,
  field: { component, label },
  value,
  fault,
  describedBy,
  change,
}: FieldControlProps) {
  const { view } = useChat()
  const chosen = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  const { most } = boundsOf(component)
  return (
    <SelectMenu
      id={id}
      label={label}
      placeholder={component.placeholder ?? 'Choose'}
      choices={choicesOf(component, view)}
      chosen={chosen}
      most={most}
      invalid={fault !== undefined}
      describedBy={describedBy}
      change={change}
    />
  )
}

function RadioGroup({ id, field: { component }, value, fault, change }: FieldControlProps) {
  return (
    <div class="choices">
      {listOf(component.options).map(({ label, value: own, description }) => (
        <label class="choice">
          <input
            type="radio"
            name={id}
            checked={value === own}
            aria-invalid={fault !== undefined}
            onChange={() => change(own)}
          />
          <span dir="auto">
            {label}
            {description && <span class="quiet">{description}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}

function CheckboxGroup({ field: { component }, value, fault, change }: FieldControlProps) {
  const chosen = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  const { most } = boundsOfField(component)
  const toggle = (own: string) =>
    change(chosen.includes(own) ? chosen.filter((one) => one !== own) : [...chosen, own])
  return (
    <div class="choices">
      {listOf(component.options).map(({ label, value: own, description }) => (
        <label class="choice">
          <input
            type="checkbox"
            checked={chosen.includes(own)}
            disabled={!chosen.includes(own) && chosen.length >= most}
            aria-invalid={fault !== undefined}
            onChange={() => toggle(own)}
          />
          <span dir="auto">
            {label}
            {description && <span class="quiet">{description}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}

function Checkbox({ id, value, describedBy, change }: FieldControlProps) {
  return (
    <input
      type="checkbox"
      id={id}
      checked={value === true}
      aria-describedby={describedBy}
      onChange={() => change(value !== true)}
    />
  )
}

function UploadField({ id, field: { component }, value, fault, describedBy, change }: FieldControlProps) {
  const [busy, setBusy] = useState(false)
  const files = Array.isArray(value) ? value.filter((file) => typeof file !== 'string') : []
  const { most } = boundsOfField(component)
  const add = async ({ currentTarget: input }: TargetedEvent<HTMLInputElement>) => {
    setBusy(true)
    const added = await Promise.all([...(input.files ?? [])].map(readFile))
    setBusy(false)
    // The same file can be chosen again after it was removed.
    input.value = ''
    change(most === 1 ? added : [...files, ...added])
  }
  return (
    <div class="upload">
      <input
        type="file"
        id={id}
        multiple={most > 1}
        accept={acceptedTypes(component.file_types)}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy}
        onChange={(event) => void add(event)}
      />
      {busy && <span role="status">Reading…</span>}
      <ul>
        {files.map((file, index) => (
          <li>
            <bdi>{file.filename}</bdi>{' '}
            <span class="quiet">{amountOf(Math.floor(((file.data?.length ?? 0) * 3) / 4))}</span>
            <button
              type="button"
              aria-label={`Remove ${file.filename}`}
              onClick={() => change(files.filter((_, at) => at !== index))}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
