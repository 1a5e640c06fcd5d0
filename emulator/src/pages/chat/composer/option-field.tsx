/** Fields for the options of a command: text, a choice, a file, and text with suggestions of the application. */
import type { TargetedEvent } from 'preact'
import type { ControlProps, FieldProps, ShownOption, Suggestion, View } from '../shared/chat-data.js'
import { acceptedTypes, readFile } from '../shared/read-file.js'
import { SuggestedField } from './suggested-field.js'

const KINDS = {
  text: 3,
  whole: 4,
  yesNo: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
}

export function OptionField(props: FieldProps) {
  const { option } = props
  const id = `option-${option.name}`
  const Control = controlFor(option)
  return (
    <div class="field">
      <label for={id}>
        {option.label} {option.required && <span class="quiet">required</span>}
      </label>
      <Control id={id} {...props} />
      <span class="quiet hint" id={`${id}-hint`}>
        {option.description}
      </span>
    </div>
  )
}

function controlFor({ type, choices, autocomplete }: ShownOption) {
  if (choices) return ChoiceControl
  if (autocomplete) return SuggestedField
  if (type === KINDS.attachment) return Attachment
  return type >= KINDS.yesNo && type <= KINDS.mentionable ? ChoiceControl : Plain
}

function Plain({
  id,
  option: { name, type, required, min_length: least, max_length: most },
  value = '',
  change,
}: ControlProps) {
  const mode = type === KINDS.whole ? 'numeric' : type === KINDS.number ? 'decimal' : undefined
  return (
    <input
      id={id}
      name={name}
      value={typeof value === 'object' ? '' : String(value)}
      required={required}
      inputMode={mode}
      minLength={least}
      maxLength={most}
      autocomplete="off"
      aria-describedby={`${id}-hint`}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

function ChoiceControl({ id, option, view, value, change }: ControlProps) {
  const items = itemsFor(option, view)
  const at = items.findIndex((item) => item.value === value)
  return (
    <select
      id={id}
      name={option.name}
      required={option.required}
      value={at === -1 ? '' : String(at)}
      aria-describedby={`${id}-hint`}
      onChange={({ currentTarget }) => change(items[Number(currentTarget.value)]?.value)}
    >
      <option value="">Choose…</option>
      {items.map(({ label }, index) => (
        <option value={String(index)}>{label}</option>
      ))}
    </select>
  )
}

function Attachment({ id, option: { name, required, file_types: types }, change }: ControlProps) {
  const take = async ({ currentTarget: field }: TargetedEvent<HTMLInputElement>) => {
    const file = field.files?.[0]
    // Submitting waits until the file is read.
    field.setCustomValidity(file === undefined ? '' : 'The file is still being read.')
    change(file === undefined ? undefined : await readFile(file))
    field.setCustomValidity('')
  }
  return (
    <input
      id={id}
      name={name}
      type="file"
      required={required}
      accept={acceptedTypes(types)}
      aria-describedby={`${id}-hint`}
      onChange={(event) => void take(event)}
    />
  )
}

function itemsFor(
  { type, choices, channel_types: types }: ShownOption,
  { people, roles, places }: View,
): Suggestion[] {
  if (choices) return choices
  const users = people.map(({ id, name }) => ({ label: name, value: id }))
  const named = roles.map(({ id, name }) => ({ label: `@${name}`, value: id }))
  if (type === KINDS.yesNo) return [true, false].map((value) => ({ label: value ? 'Yes' : 'No', value }))
  if (type === KINDS.user) return users
  if (type === KINDS.role) return named
  if (type === KINDS.mentionable) return [...users, ...named]
  return places
    .filter((place) => !types || types.includes(place.type))
    .map(({ id, name }) => ({ label: `#${name}`, value: id }))
}
