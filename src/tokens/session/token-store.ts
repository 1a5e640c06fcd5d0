/** The port to where sessions outlive a page or a process: texts by name, each whole or not there. */

/**
 * Keeps texts. What stands in them is the SDK's affair: a store neither reads nor merges them.
 *
 * Any method may reject; the session then goes on in memory and says so. None may wait for the player.
 */
export interface TokenStore {
  /** The text that was last set; undefined when there is none, or none that can still be read. */
  get(key: string): Promise<string | undefined>
  /**
   * Replaces the text as a whole. Once it has resolved, the text survives whatever the store promises to survive, and every tab that shares
   * the store gets it: where one gets an older text, a refresh token is sent twice and the player is signed out.
   */
  set(key: string, text: string): Promise<void>
  /** Leaves all other keys alone. No error when nothing is there. */
  delete(key: string): Promise<void>
}

/** Forgets everything with the page or the process: the default. */
export function memoryStore(): TokenStore {
  const texts = new Map<string, string>()
  return {
    get: async (key) => texts.get(key),
    async set(key, text) {
      texts.set(key, text)
    },
    async delete(key) {
      texts.delete(key)
    },
  }
}
