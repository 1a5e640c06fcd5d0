/** Single keys of the page: `?` for the list of shortcuts, `g` and a letter for a screen. They can be switched off. */
import type { Screen } from '../foundation/page-address'
import { readSettings, saveSettings } from '../foundation/saved-settings'

const SETTING = 'keys'

/** Keys after `g`. */
export const SCREEN_KEYS: readonly {
  readonly key: string
  readonly screen: Screen
  readonly title: string
}[] = [
  { key: 's', screen: 'player', title: 'Sign-in' },
  { key: 'e', screen: 'exchange', title: 'Exchange' },
  { key: 't', screen: 'token', title: 'Token' },
  { key: 'l', screen: 'lobby', title: 'Lobby' },
  { key: 'r', screen: 'limits', title: 'Limits' },
  { key: 'c', screen: 'commands', title: 'Commands' },
  { key: 'd', screen: 'doctor', title: 'Doctor' },
  { key: 'v', screen: 'service', title: 'Service' },
]

export function areSingleKeysOn(): boolean {
  return readSettings(SETTING)['single'] !== 'off'
}

export function setSingleKeys(single: 'on' | 'off'): void {
  saveSettings(SETTING, { single })
}

/** Result of a key: an action, or the key that begins a sequence. */
type KeyAction =
  | { readonly kind: 'help' }
  | { readonly kind: 'go'; readonly screen: Screen }
  | { readonly kind: 'begun' }
  | undefined

/** @param before the key before this one, if it began a sequence. */
export function actionOf(key: string, before: string | undefined): KeyAction {
  if (before === 'g') {
    const found = SCREEN_KEYS.find((one) => one.key === key)
    return found && { kind: 'go', screen: found.screen }
  }
  if (key === '?') return { kind: 'help' }
  return key === 'g' ? { kind: 'begun' } : undefined
}
