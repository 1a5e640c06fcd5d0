/** Session stores that the page offers, and the player profile from the query. */
import { type ClientOptions, indexedDbStore, localStorageStore, sessionStorageStore } from 'foyer-sdk'
import { saveSettings, readSettings } from '../foundation/saved-settings'

const STORES = {
  memory: { label: 'Memory', words: 'gone with the page', make: () => undefined },
  tab: { label: 'Session storage', words: 'deleted with the tab', make: sessionStorageStore },
  local: {
    label: 'Local storage',
    words: 'kept until it is cleared, readable by every script of the origin',
    make: localStorageStore,
  },
  sealed: {
    label: 'IndexedDB',
    words: 'kept until it is cleared, encrypted with a key that no script can read',
    make: indexedDbStore,
  },
} as const

export type StoreKind = keyof typeof STORES
export const STORE_KINDS: readonly StoreKind[] = ['memory', 'tab', 'local', 'sealed']

export const storeLabel = (kind: StoreKind): string => STORES[kind].label
export const storeDescription = (kind: StoreKind): string => STORES[kind].words
/** A client without a store keeps its session in memory. */
export function tokenStoreOption(kind: StoreKind): Pick<ClientOptions, 'tokenStore'> {
  const tokenStore = STORES[kind].make()
  return tokenStore ? { tokenStore } : {}
}

export function loadStoreKind(): StoreKind {
  return STORE_KINDS.find((kind) => kind === readSettings('store')['kind']) ?? 'memory'
}

export function saveStoreKind(kind: StoreKind): void {
  saveSettings('store', { kind })
}

/** Returns `alice` for `?profile=alice`: several players can share one store. Each frame of an Activity is a separate player, too. */
export function profileOf(query: string): string {
  const parameters = new URLSearchParams(query)
  return parameters.get('profile') || parameters.get('frame_id') || 'default'
}
