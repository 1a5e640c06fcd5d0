/** Port for storing sessions beyond the life of a page or process: string values by key, each written as a whole. */

/**
 * Stores strings for the SDK. A store neither interprets nor merges them.
 *
 * Any method may reject; the session then continues in memory, as `session.storage` shows. No method may wait for the player.
 */
export interface TokenStore {
  /** The last stored string; undefined if there is none, or if it can no longer be read. */
  get(key: string): Promise<string | undefined>
  /**
   * Replaces the whole string. Once the promise has resolved, the string is as durable as the store promises, and every tab that shares the
   * store reads it: a tab that reads an older string sends a refresh token twice, and the player is signed out.
   */
  set(key: string, value: string): Promise<void>
  /** Deletes one key; other keys stay. Resolves also if the key does not exist. */
  delete(key: string): Promise<void>
}

/** A store in memory, lost with the page or process. Default. */
export function memoryStore(): TokenStore {
  const values = new Map<string, string>()
  return {
    get: async (key) => values.get(key),
    async set(key, value) {
      values.set(key, value)
    },
    async delete(key) {
      values.delete(key)
    },
  }
}
