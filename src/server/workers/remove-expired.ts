/** The alarm of a Durable Object that holds the stores. */
import type { DurableObjectStorage } from './durable-object-storage'
import { type DurableObjectStoreOptions, ExpiringEntries } from './expiring-entries'

/**
 * Deletes sessions, tickets and keys of received requests that have ended, and sets the next alarm: an hour later at the earliest, none if
 * nothing is left. An object has one alarm. A game that needs it for something else calls this function there too, now and then.
 *
 * @param storage `state.storage` of the object.
 * @throws ConfigurationError `invalid_argument` for anything else.
 * @example
 * ```ts
 * class Game {
 *   alarm() {
 *     return removeExpired(this.state.storage)
 *   }
 * }
 * ```
 */
export function removeExpired(
  storage: DurableObjectStorage,
  options?: DurableObjectStoreOptions,
): Promise<void> {
  return new ExpiringEntries(storage, options).removeExpired()
}
