/** Token stores in the browser's own text storages. Every script of the origin can read them, and so can who reads the disk. */
import type { TokenStore } from '../tokens/session/token-store'

/** Lives as long as the tab, through reloads. A tab that the player duplicates begins with a copy: two owners of one refresh token. */
export function sessionStorageStore(): TokenStore {
  return textStore(() => sessionStorage)
}

/** What is asked of a `Storage`, whose own type projects without the DOM do not have. */
interface Texts {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  removeItem(key: string): void
}

/** Asked for each time: where storage is blocked, naming it throws. */
export function textStore(storage: () => Texts): TokenStore {
  return {
    get: async (key) => storage().getItem(key) ?? undefined,
    set: async (key, text) => storage().setItem(key, text),
    delete: async (key) => storage().removeItem(key),
  }
}
