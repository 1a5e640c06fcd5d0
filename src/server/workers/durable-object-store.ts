/** Store of received interactions and events, and of tickets, in the storage of a Durable Object. */
import type { ReplayStore } from '../interactions/replay-store'
import type { StoreKey } from '../keys/store-key'
import type { TicketStore } from '../players/player-tickets'
import type { DurableObjectStorage } from './durable-object-storage'
import { type DurableObjectStoreOptions, ExpiringEntries } from './expiring-entries'

/** Store for the option `replays` of `createInteractionHandler` and `createEventHandler`, and for `store` of `createPlayerTickets`. */
export interface DurableObjectStore extends TicketStore, ReplayStore {
  /** Stores a key for `ttl` ms and resolves with true if it was stored already. Atomic. */
  seen(key: StoreKey, ttl: number): Promise<boolean>
}

/**
 * Creates a store of received interactions and events, and of tickets, that outlives the object: what was received before it was ended is known
 * after it has started again. The class needs the method `alarm() { return removeExpired(this.state.storage) }`.
 *
 * @param storage `state.storage` of the object.
 * @throws ConfigurationError `invalid_argument` for anything else.
 * @example
 * ```ts
 * const store = durableObjectStore(state.storage)
 * const interactions = createInteractionHandler({ publicKey, commands, replays: store })
 * const tickets = createPlayerTickets({ applicationId, verify, purposes: ['match'], store })
 * ```
 */
export function durableObjectStore(
  storage: DurableObjectStorage,
  options?: DurableObjectStoreOptions,
): DurableObjectStore {
  const entries = new ExpiringEntries(storage, options)
  return {
    seen: (key, ttl) =>
      entries.change(key, (held) =>
        held === undefined ? { result: false, text: '', ttl } : { result: true },
      ),
    put: (key, text, ttl) => entries.put(key, text, ttl),
    take: (key) =>
      entries.change(key, (held) => (held === undefined ? { result: held } : { result: held, text: null })),
  }
}
