/** Token stores in web storage. Scripts of the same origin, and anyone with access to the disk, can read them. */
import type { TokenStore } from '../session/token-store'

/**
 * Creates a token store in session storage, which survives reloads and ends with the tab. A duplicated tab starts with a copy, so two tabs
 * then use one refresh token.
 */
export function sessionStorageStore(): TokenStore {
  return textStore(() => sessionStorage)
}

/** Required methods of `Storage`, for projects without DOM types. */
interface StringStorage {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  removeItem(key: string): void
}

/** Calls `storage` for each access, because blocked storage throws on access. */
export function textStore(storage: () => StringStorage): TokenStore {
  return {
    get: async (key) => storage().getItem(key) ?? undefined,
    set: async (key, text) => storage().setItem(key, text),
    delete: async (key) => storage().removeItem(key),
  }
}
