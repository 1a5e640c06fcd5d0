/** Replay protection: detects interactions and events that were received before. */
import { requireNumber } from '../../shared/foundation/options'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { takeOptions } from '../../shared/foundation/take-options'
import type { StoreKey } from '../keys/store-key'

/** Store of received interactions and events, for sharing between processes. */
export interface ReplayStore {
  /** Stores a key for `ttl` ms and returns true if it was stored already. Must be atomic: of two concurrent calls, one returns false. */
  seen(key: StoreKey, ttl: number): boolean | Promise<boolean>
}

/** Requirements of the option `replays`. */
export const REPLAYS = { name: 'replays', methods: ['seen'], example: 'redisStore(new Redis(url))' }

/** Options of `createReplayMemory`. */
export interface ReplayMemoryOptions {
  /** Maximum number of stored keys; the older half is evicted first. Default: 100,000, about 20 MB. */
  capacity?: number | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Synchronous replay store. */
export interface ReplayMemory extends ReplayStore {
  /** Stores a key for `ttl` ms and returns true if it was stored already. */
  seen(key: StoreKey, ttl: number): boolean
}

/** Creates a replay store in memory. Keys are stored in two generations, so that expiry takes constant time. */
export function createReplayMemory(given?: ReplayMemoryOptions): ReplayMemory {
  const options = takeOptions({ ...given }, ['capacity', 'clock'])
  const { capacity = 100_000, clock = systemClock } = options
  requireNumber(capacity, 'capacity', { kind: 'a number of keys above 0', min: 1, example: '100_000' })
  let young = new Set<string>()
  let old = new Set<string>()
  /** Epoch ms after which the keys in `young` have expired. */
  let end = 0
  return {
    seen(key, ttl) {
      const now = clock.now()
      if (now >= end || young.size >= capacity / 2) {
        old = now >= end + ttl ? new Set() : young
        young = new Set()
        end = now + ttl
      }
      if (young.has(key) || old.has(key)) return true
      young.add(key)
      return false
    },
  }
}
