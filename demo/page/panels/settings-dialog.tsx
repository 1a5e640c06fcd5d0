/** Dialog with density and motion, the keyboard shortcuts of the page, and a button that deletes everything stored. */
import type { Signal } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { clearAndReload } from '../foundation/clear-stored-data'
import { areSingleKeysOn, SCREEN_KEYS, setSingleKeys } from '../foundation/key-action'
import { LookChoices } from '../ui/look-choices'

const KEYS: readonly (readonly [string, string])[] = [
  ['?', 'opens this list'],
  ...SCREEN_KEYS.map(({ key, title }) => [`g ${key}`, `goes to ${title}`] as const),
  ['Ctrl or Cmd + Enter', 'signs in, on the sign-in screen'],
  ['Esc', 'cancels a sign-in; leaves the editor of commands, so that Tab moves on'],
]

const LABEL = 'Settings and keys'

export function SettingsButton({ isOpen }: { isOpen: Signal<boolean> }) {
  return (
    <button type="button" class="settings-button" title={LABEL} aria-label={LABEL} onClick={() => (isOpen.value = true)}>
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
        The theme and your settings stay on this machine. Secrets and tokens are stored only as you choose under Lifecycle.
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
