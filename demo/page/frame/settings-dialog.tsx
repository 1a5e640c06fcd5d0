/** Dialog with density and motion, the keyboard shortcuts of the page, and a button that deletes everything stored. */
import type { Signal } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Choice } from 'kit/field'
import { clearAndReload } from '../foundation/clear-stored-data'
import { readSettings, saveSettings } from '../foundation/saved-settings'
import { SCREEN_KEYS, areSingleKeysOn, setSingleKeys } from './key-action'

const KEYS: readonly (readonly [string, string])[] = [
  ['?', 'opens this list'],
  ...SCREEN_KEYS.map(({ key, title }) => [`g ${key}`, `goes to ${title}`] as const),
  ['Ctrl or Cmd + Enter', 'signs in, on the sign-in screen'],
  ['Esc', 'cancels a sign-in; leaves the editor of commands, so that Tab moves on'],
]

const LABEL = 'Settings and keys'

export function SettingsButton({ isOpen }: { isOpen: Signal<boolean> }) {
  return (
    <button
      type="button"
      class="settings-button"
      title={LABEL}
      aria-label={LABEL}
      onClick={() => (isOpen.value = true)}
    >
      ?
    </button>
  )
}

export function SettingsDialog({ isOpen }: { isOpen: Signal<boolean> }) {
  return isOpen.value ? <OpenDialog onClose={() => (isOpen.value = false)} /> : null
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="settings-dialog" aria-labelledby="settings-title" ref={dialog} onClose={onClose}>
      <h2 id="settings-title">{LABEL}</h2>
      <LookChoices />
      <Shortcuts />
      <p class="hint">
        The theme and your settings stay on this machine. Secrets and tokens are stored only as you choose
        under Lifecycle.
      </p>
      <div class="buttons">
        <ClearButton />
        <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  )
}

function Shortcuts() {
  return (
    <>
      <table>
        <caption>Keyboard shortcuts</caption>
        <tbody>
          {KEYS.map(([key, effect]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{effect}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="settings-check">
        <input
          type="checkbox"
          defaultChecked={areSingleKeysOn()}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked ? 'on' : 'off')}
        />
        Use the keys ? and g
      </label>
    </>
  )
}

/** The first press asks, the second deletes. */
function ClearButton() {
  const [isSure, setSure] = useState(false)
  return (
    <button type="button" class="secondary" onClick={() => (isSure ? clearAndReload() : setSure(true))}>
      {isSure ? 'Delete settings, sessions and exchanges now' : 'Delete everything stored'}
    </button>
  )
}

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
function LookChoices() {
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
