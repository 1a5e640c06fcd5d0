/** In-memory rate limit store, shared by the clients of one process. */
import { type Clock, systemClock } from '../../foundation/clock'
import { monotonic, type MonotonicClock } from '../../foundation/monotonic-clock'
import { allocate } from './allocate'
import {
  recordHeartbeat,
  renewLease,
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
import {
  type AcquireRequest,
  type Grant,
  margin,
  type RateLimitStore,
  type Settlement,
  type SharedBucket,
} from '../store-port'

/** Holds the shared state; `store()` creates a client's access to it. */
export class MemoryRateLimitStores {
  readonly #clock: MonotonicClock
  readonly #states = new Map<string, BucketState>()
  readonly #parties: Parties = {}
  readonly #refusals: RefusalParts = {}
  #next = 1
  #isSweepScheduled = false

  constructor(clock: Clock = systemClock) {
    this.#clock = monotonic(clock)
  }

  /** Number of buckets in use. */
  get size(): number {
    return this.#states.size
  }

  /** Creates one client's access to the shared state, for its `rateLimitStore` option. The clients of each application share limits of their own. */
  store(): RateLimitStore {
    return this.#storeOf('')
  }

  /** @param prefix of the keys of an application. */
  #storeOf(prefix: string): RateLimitStore {
    const party = String(this.#next++)
    const own = (bucket: SharedBucket): SharedBucket =>
      prefix ? { ...bucket, key: prefix + bucket.key } : bucket
    return {
      forApplication: (id) => this.#storeOf(`${id}:bucket:`),
      acquire: async (request) => this.#acquire({ ...request, buckets: request.buckets.map(own) }, party),
      settle: async (settlement) => this.#settle({ ...settlement, buckets: settlement.buckets.map(own) }),
      renew: async (renewal) =>
        renewLease(this.#stateOf(own(renewal.bucket)), renewal, this.#clock.elapsed()),
      block: async (bucket, ms) => blockBucket(this.#stateOf(own(bucket)), this.#clock.elapsed() + ms),
      unblock: async (bucket) => unblockBucket(this.#stateOf(own(bucket))),
      countRefusals: async (count) => countRefusals(this.#refusals, count, this.#clock.elapsed()),
      close: async () => void delete this.#parties[party],
    }
  }

  #acquire(request: AcquireRequest, party: string): Grant {
    const now = this.#clock.elapsed()
    const present = this.#parties
    const parties = recordHeartbeat(present, party, { now })
    const entries = request.buckets.map((bucket) => [bucket, this.#stateOf(bucket)] as const)
    const name = (count: number) => Array.from({ length: count }, () => `${party}:${this.#next++}`)
    return allocate(entries, { request, party, parties, present, now, name })
  }

  #settle(settlement: Settlement): void {
    const now = this.#clock.elapsed()
    for (const bucket of settlement.buckets)
      settleBucket(this.#stateOf(bucket), bucket, { ...settlement, now })
  }

  #stateOf({ key, per }: SharedBucket): BucketState {
    const state = this.#states.get(key) ?? emptyBucketState()
    this.#states.set(key, state)
    if (!this.#isSweepScheduled) this.#sweepLater(per)
    return state
  }

  #sweepLater(per: number): void {
    this.#isSweepScheduled = true
    this.#clock.afterUnref(per + margin(per) * 2, () => this.#sweep(per))
  }

  #sweep(per: number): void {
    const now = this.#clock.elapsed()
    this.#isSweepScheduled = false
    for (const [key, state] of this.#states) {
      dropExpired(state, now)
      if (isEmpty(state, now)) this.#states.delete(key)
    }
    if (this.#states.size > 0) this.#sweepLater(per)
  }
}
