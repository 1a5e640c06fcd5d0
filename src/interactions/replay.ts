/** What was seen before, so that a recorded request cannot be sent again. */
import { type Clock, systemClock } from '../foundation/clock'

/** Where several processes share what they saw. */
export interface ReplayStore {
  /** Remembers a key for `ttl` ms and tells whether it was remembered already: in one step, so that of two at once only one is the first. */
  seen(key: string, ttl: number): boolean | Promise<boolean>
}

export interface ReplayMemoryOptions {
  /** How many keys are kept at most; the oldest half goes first. Default: 100,000, some 20 MB. */
  capacity?: number
  clock?: Clock
}

/** Tells at once. */
export interface ReplayMemory extends ReplayStore {
  seen(key: string, ttl: number): boolean
}

/** Keeps the keys of this process, in two halves, so that forgetting costs nothing. */
export function createReplayMemory(given?: ReplayMemoryOptions): ReplayMemory {
  const options = { ...given }
  const { capacity = 100_000, clock = systemClock } = { ...options }
  let young = new Set<string>()
  let old = new Set<string>()
  /** Epoch ms from which on nothing in `young` is needed. */
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
