/** A budget that several clients of one process share. */
import { type Clock, systemClock } from '../../foundation/clock'
import { monotonic, type MonotonicClock } from '../../foundation/monotonic-clock'
import { allocate } from './allocate'
import {
  recordHeartbeat,
  blockBucket,
  countRefusals,
  emptyBucketState,
  isEmpty,
  type BucketState,
  type Parties,
  dropExpired,
  type RefusalParts,
  settleBucket,
  unblockBucket,
} from './bucket-state'
import { type AcquireRequest, type Grant, margin, type RateLimitStore, type Settlement, type SharedBucket } from './store'

/** The book itself; each client gets its own door to it. */
export class MemoryRateLimitStores {
  readonly #clock: MonotonicClock
  readonly #pages = new Map<string, BucketState>()
  readonly #parties: Parties = {}
  readonly #refusals: RefusalParts = {}
  #next = 1
  #isSwept = false

  constructor(clock: Clock = systemClock) {
    this.#clock = monotonic(clock)
  }

  /** Pages in use. */
  get size(): number {
    return this.#pages.size
  }

  store(): RateLimitStore {
    const party = String(this.#next++)
    return {
      acquire: async (ask) => this.#acquire(ask, party),
      settle: async (settlement) => this.#settle(settlement),
      block: async (bucket, ms) => blockBucket(this.#page(bucket), this.#clock.elapsed() + ms),
      unblock: async (bucket) => unblockBucket(this.#page(bucket)),
      countRefusals: async (count) => countRefusals(this.#refusals, count, this.#clock.elapsed()),
      close: async () => void delete this.#parties[party],
    }
  }

  #acquire(ask: AcquireRequest, party: string): Grant {
    const now = this.#clock.elapsed()
    const present = this.#parties
    const parties = recordHeartbeat(present, party, { now })
    const entries = ask.buckets.map((bucket) => [bucket, this.#page(bucket)] as const)
    const name = (count: number) => Array.from({ length: count }, () => `${party}:${this.#next++}`)
    return allocate(entries, { ask, party, parties, present, now, name })
  }

  #settle(settlement: Settlement): void {
    const now = this.#clock.elapsed()
    for (const bucket of settlement.buckets) settleBucket(this.#page(bucket), bucket, { ...settlement, now })
  }

  #page({ key, per }: SharedBucket): BucketState {
    const state = this.#pages.get(key) ?? emptyBucketState()
    this.#pages.set(key, state)
    if (!this.#isSwept) this.#sweepLater(per)
    return state
  }

  #sweepLater(per: number): void {
    this.#isSwept = true
    this.#clock.afterUnref(per + margin(per) * 2, () => this.#sweep(per))
  }

  #sweep(per: number): void {
    const now = this.#clock.elapsed()
    this.#isSwept = false
    for (const [key, state] of this.#pages) {
      dropExpired(state, now)
      if (isEmpty(state, now)) this.#pages.delete(key)
    }
    if (this.#pages.size > 0) this.#sweepLater(per)
  }
}
