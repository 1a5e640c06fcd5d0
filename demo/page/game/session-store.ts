/** Where the page keeps its session, and whose it is. */
import { type ClientOptions, indexedDbStore, localStorageStore, sessionStorageStore } from 'foyer-sdk'
import { keep, readKept } from '../kept'

const STORES = {
  memory: { label: 'Memory', words: 'gone with the page', make: () => undefined },
  tab: { label: 'Session storage', words: 'lives as long as the tab', make: sessionStorageStore },
  local: { label: 'Local storage', words: 'lives until it is cleared, readable by every script of the origin', make: localStorageStore },
  sealed: { label: 'IndexedDB', words: 'lives until it is cleared, sealed by a key that no script can read', make: indexedDbStore },
} as const

export type StoreKind = keyof typeof STORES
export const STORE_KINDS: readonly StoreKind[] = ['memory', 'tab', 'local', 'sealed']

export const storeLabel = (kind: StoreKind): string => STORES[kind].label
export const storeWords = (kind: StoreKind): string => STORES[kind].words
/** Memory is what a client has without a store. */
export function keepIn(kind: StoreKind): Pick<ClientOptions, 'tokenStore'> {
  const tokenStore = STORES[kind].make()
  return tokenStore ? { tokenStore } : {}
}

export function rememberedStore(): StoreKind {
  return STORE_KINDS.find((kind) => kind === readKept('store')['kind']) ?? 'memory'
}

export function rememberStore(kind: StoreKind): void {
  keep('store', { kind })
}

/** `?profile=alice`: several players side by side in one store. The frames of an Activity are several players, too. */
export function profileOf(query: string): string {
  const parameters = new URLSearchParams(query)
  return parameters.get('profile') || parameters.get('frame_id') || 'default'
}
