/** Dialog with density and motion, the keyboard shortcuts of the page, and a button that deletes everything stored. */
import { clearAndReload } from '../clear-stored-data'
import { areSingleKeysOn, SCREEN_KEYS, setSingleKeys } from '../shortcut-keys'
import { h } from '../ui/create-element'
import { applyLook, lookChoices } from '../ui/look-settings'

export interface SettingsDialog {
  /** Opens the dialog. */
  readonly button: HTMLElement
  open(): void
}

const KEYS: readonly (readonly [string, string])[] = [
  ['?', 'opens this list'],
  ...SCREEN_KEYS.map(({ key, title }) => [`g ${key}`, `goes to ${title}`] as const),
  ['Ctrl or Cmd + Enter', 'signs in, on the sign-in screen'],
  ['Esc', 'cancels a sign-in; leaves the editor of commands, so that Tab moves on'],
]

export function settingsDialog(): SettingsDialog {
  applyLook()
  const dialog = h('dialog', { class: 'settings-dialog', 'aria-labelledby': 'settings-title' })
  const open = () => {
    dialog.replaceChildren(...contents(() => dialog.close()))
    if (!dialog.isConnected) document.body.append(dialog)
    if (!dialog.open) dialog.showModal()
  }
  const label = 'Settings and keys'
  const button = h('button', { type: 'button', class: 'settings-button', title: label, 'aria-label': label, onclick: open }, ['?'])
  return { button, open }
}

function contents(close: () => void): HTMLElement[] {
  const isOn = h('input', { type: 'checkbox', checked: areSingleKeysOn(), onchange: () => setSingleKeys(isOn.checked) })
  const rows = KEYS.map(([key, effect]) => h('tr', {}, [h('th', { scope: 'row' }, [h('kbd', {}, [key])]), h('td', {}, [effect])]))
  return [
    h('h2', { id: 'settings-title' }, ['Settings and keys']),
    ...lookChoices(),
    h('table', {}, [h('caption', {}, ['Keyboard shortcuts']), h('tbody', {}, rows)]),
    h('label', { class: 'settings-check' }, [isOn, 'Use the keys ? and g']),
    h('p', { class: 'hint' }, [
      'The theme and your settings stay on this machine. Secrets and tokens are stored only as you choose under Lifecycle.',
    ]),
    h('div', { class: 'buttons' }, [clearButton(), h('button', { type: 'button', class: 'secondary', onclick: close }, ['Close'])]),
  ]
}

/** The first press asks, the second deletes. */
function clearButton(): HTMLElement {
  let isSure = false
  const button = h('button', { type: 'button', class: 'secondary', onclick: () => press() }, ['Delete everything stored'])
  const press = () => {
    if (isSure) return clearAndReload()
    isSure = true
    button.textContent = 'Delete settings, sessions and exchanges now'
  }
  return button
}
