/** Labelled list of choices, one of which is chosen. */

export interface SelectChoice {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

interface ListProps {
  id: string
  choices: readonly SelectChoice[]
  value: string
  disabled?: boolean
  onChange: (value: string) => void
}

export function SelectField({ label, ...list }: ListProps & { label: string }) {
  return (
    <div class="field">
      <label for={list.id}>{label}</label>
      <Select {...list} />
    </div>
  )
}

export function Select({ id, choices, value, disabled = false, onChange }: ListProps) {
  return (
    <select
      id={id}
      value={value}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {choices.map((one) => (
        <option value={one.value} disabled={one.disabled} key={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  )
}

/** Returns what is chosen while it is offered, otherwise the first choice. */
export function offered(choices: readonly SelectChoice[], chosen: string): string {
  const possible = choices.filter(({ disabled }) => disabled !== true)
  return (possible.find(({ value }) => value === chosen) ?? possible[0])?.value ?? ''
}
