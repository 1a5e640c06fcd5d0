/** Port to the record of granted purchases that all processes of a backend share, and a store in memory. */
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { takeOptions } from '../../shared/foundation/take-options'
import type { StoreKey } from '../keys/store-key'

/**
 * State of a purchase in a store. `claimed`: somebody has begun to grant it, and may have done so. `granted`, and `revoked` after a refund, are
 * final answers of the game.
 */
export type PurchaseState = 'claimed' | 'granted' | 'revoked'

/**
 * Records the states of purchases, for ever: what is forgotten is granted again. A rejection means that the store is unavailable: then nothing
 * is granted.
 */
export interface PurchaseStore {
  /** Resolves with the state; undefined for a purchase that was never claimed. */
  get(key: StoreKey): Promise<PurchaseState | undefined>
  /**
   * Claims a purchase for `ttl` ms, unless another owner holds it. Atomic. A new purchase has the state `claimed` from then on, and keeps it
   * when the claim has ended. Resolves with the state before, `new` for a purchase that was never claimed, or with `busy`.
   */
  claim(key: StoreKey, owner: string, ttl: number): Promise<PurchaseState | 'new' | 'busy'>
  /** Records a state and ends the claim of this owner. Atomic. Resolves with false, and changes nothing, if the owner no longer holds it. */
  settle(key: StoreKey, owner: string, state: PurchaseState): Promise<boolean>
}

/** Requirements of the option `store`. */
export const PURCHASE_STORE = {
  name: 'store',
  methods: ['get', 'claim', 'settle'],
  example: 'redisPurchaseStore(new Redis(url))',
}

/** Creates a store for one process, in memory: a restart forgets what was granted. For development and tests. */
export function memoryPurchaseStore(given?: { clock?: Clock | undefined }): PurchaseStore {
  const { clock = systemClock } = takeOptions({ ...given }, ['clock'])
  const states = new Map<string, PurchaseState>()
  const claims = new Map<string, { owner: string; until: number }>()
  const holderOf = (key: string): string | undefined => {
    const claim = claims.get(key)
    return claim && claim.until > clock.now() ? claim.owner : undefined
  }
  return {
    get: async (key) => states.get(key),
    async claim(key, owner, ttl) {
      if (holderOf(key) !== undefined) return 'busy'
      claims.set(key, { owner, until: clock.now() + ttl })
      const state = states.get(key)
      if (state === undefined) states.set(key, 'claimed')
      return state ?? 'new'
    },
    async settle(key, owner, state) {
      if (holderOf(key) !== owner) return false
      claims.delete(key)
      states.set(key, state)
      return true
    },
  }
}
