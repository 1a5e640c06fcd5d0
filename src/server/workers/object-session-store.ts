/** Store of the sessions that a backend holds, in the storage of a Durable Object. */
import type { SessionStore } from '../sessions/session-store'
import type { DurableObjectStorage } from './durable-object-storage'
import { type DurableObjectStoreOptions, ExpiringEntries } from './expiring-entries'

/**
 * Creates the store of `createSessionHandler` in a Durable Object. All requests of the game's sessions go to that one object. The records are
 * sealed: the storage learns no token. They outlive the object, which the host ends and starts as it likes. The class needs the
 * method `alarm() { return removeExpired(this.state.storage) }`, which deletes sessions that have ended.
 *
 * @param storage `state.storage` of the object. Entries of the game's own stay: every key begins with `foyer:` and the application's id.
 * @throws ConfigurationError `invalid_argument` for anything else.
 * @example
 * ```ts
 * const store = durableObjectSessionStore(state.storage)
 * ```
 */
export function durableObjectSessionStore(
  storage: DurableObjectStorage,
  options?: DurableObjectStoreOptions,
): SessionStore {
  const entries = new ExpiringEntries(storage, options)
  return {
    get: (key) => entries.get(key),
    set: (key, text, ttl) => entries.put(key, text, ttl),
    delete: (key) => entries.delete(key),
    lock: (key, owner, ttl) =>
      entries.change(key, (held) =>
        held === undefined ? { result: true, text: owner, ttl } : { result: false },
      ),
    renew: (key, owner, ttl) =>
      entries.change(key, (held) =>
        held === owner ? { result: true, text: owner, ttl } : { result: false },
      ),
    unlock: (key, owner) =>
      entries.change(key, (held) =>
        held === owner ? { result: undefined, text: null } : { result: undefined },
      ),
  }
}
