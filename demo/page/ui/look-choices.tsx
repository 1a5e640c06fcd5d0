/** Density and motion of the page; saved on this machine. */
import { readSettings, saveSettings } from '../foundation/saved-settings'
import { useState } from 'preact/hooks'
import { Choice } from 'kit/field'

const SETTING = 'look'

interface Look {
  /** Attribute `data-…` of the document, and name of the saved value. */
  readonly name: 'density' | 'motion'
  readonly legend: string
  readonly hint: string
  /** The first one is the default, without an attribute. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

const LOOKS: readonly Look[] = [
  {
    name: 'density',
    legend: 'Density',
    hint: 'Compact shows more of a screen at once. Nothing that you press gets smaller than 24 pixels.',
    choices: [
      { value: 'comfortable', label: 'comfortable' },
      { value: 'compact', label: 'compact' },
    ],
  },
  {
    name: 'motion',
    legend: 'Motion',
    hint: 'Reduced removes every animation and transition.',
    choices: [
      { value: 'system', label: 'as the system' },
      { value: 'reduced', label: 'reduced' },
    ],
  },
]

/** Applies what was saved. */
export function applyLook(): void {
  const saved = readSettings(SETTING)
  for (const look of LOOKS) apply(look, saved[look.name])
}

/** Choices, with what was saved. */
export function LookChoices() {
  return LOOKS.map((look) => <LookChoice look={look} key={look.name} />)
}

function LookChoice({ look }: { look: Look }) {
  const { name, legend, hint, choices } = look
  const saved = choices.find((one) => one.value === readSettings(SETTING)[name]) ?? choices[0]
  const [value, setValue] = useState(saved?.value ?? '')
  const change = (chosen: string) => {
    choose(look, chosen)
    setValue(chosen)
  }
  return <Choice name={name} legend={legend} hint={hint} value={value} choices={choices} onChange={change} />
}

function choose(look: Look, chosen: string): void {
  apply(look, chosen)
  saveSettings(SETTING, { ...readSettings(SETTING), [look.name]: chosen })
}

function apply({ name, choices }: Look, value: string | undefined): void {
  const { dataset } = document.documentElement
  if (choices.slice(1).some((one) => one.value === value)) dataset[name] = value
  else delete dataset[name]
}
