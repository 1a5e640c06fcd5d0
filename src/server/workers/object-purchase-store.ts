/** Record of granted purchases in the storage of a Durable Object. */
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { takeOptions } from '../../shared/foundation/take-options'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ProtocolError } from '../../shared/foundation/errors'
import type { StoreKey } from '../keys/store-key'
import type { PurchaseState, PurchaseStore } from '../purchases/purchase-store'
import { type DurableObjectStorage, takeStorage } from './durable-object-storage'

/** Options of `durableObjectPurchaseStore`. */
export interface DurableObjectPurchaseStoreOptions {
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Begins every key. The alarm, which reads all entries with an end, does not read these. */
const PREFIX = 'foyer-purchases:'
const STATES: readonly PurchaseState[] = ['claimed', 'granted', 'revoked']

interface Claim {
  readonly owner: string
  /** Epoch ms. */
  readonly until: number
}

interface Purchase {
  readonly state: PurchaseState
  /** Absent once it was settled. */
  readonly claim?: Claim
}

/**
 * Creates the store of `createPurchaseDesk` in a Durable Object. All desks of the game use that one object. The records have no end, and outlive
 * the object: about 100 bytes for each purchase. They need no alarm.
 *
 * @param storage `state.storage` of the object. Entries of the game's own stay: every key begins with `foyer-purchases:` and the application's id.
 * @throws ConfigurationError `invalid_argument` for anything else.
 * @example
 * ```ts
 * const store = durableObjectPurchaseStore(state.storage)
 * const desk = createPurchaseDesk({ purchases: client.purchases, store, grant })
 * ```
 */
export function durableObjectPurchaseStore(
  storage: DurableObjectStorage,
  given?: DurableObjectPurchaseStoreOptions,
): PurchaseStore {
  const { clock = systemClock } = takeOptions({ ...given }, ['clock'])
  const taken = takeStorage(storage, clock)
  return {
    get: async (key) => readPurchase(await taken.get(nameOf(key)))?.state,
    claim: (key, owner, ttl) =>
      taken.transaction(async (transaction) => {
        const held = readPurchase(await transaction.get(nameOf(key)))
        if (held?.claim && held.claim.until > clock.now()) return 'busy'
        const claim = { owner, until: clock.now() + ttl }
        await transaction.put(nameOf(key), { state: held?.state ?? 'claimed', claim })
        return held?.state ?? 'new'
      }),
    settle: (key, owner, state) =>
      taken.transaction(async (transaction) => {
        const claim = readPurchase(await transaction.get(nameOf(key)))?.claim
        if (claim?.owner !== owner || claim.until <= clock.now()) return false
        await transaction.put(nameOf(key), { state })
        return true
      }),
  }
}

const nameOf = (key: StoreKey): string => `${PREFIX}${key}`

/** @throws ProtocolError `malformed_response` for anything else: nothing is known about the purchase. */
function readPurchase(value: unknown): Purchase | undefined {
  if (value === undefined) return undefined
  const { state: given, claim }: Readonly<Record<string, unknown>> = isRecord(value) ? value : {}
  const state = STATES.find((each) => each === given)
  if (state === undefined)
    throw new ProtocolError('malformed_response', 'durable object: the state of a purchase')
  const { owner, until } = isRecord(claim) ? claim : {}
  return typeof owner === 'string' && typeof until === 'number'
    ? { state, claim: { owner, until } }
    : { state }
}
