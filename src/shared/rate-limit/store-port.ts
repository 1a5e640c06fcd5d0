/** Port to a rate limit store that tabs, workers or processes share, and the arithmetic common to its implementations. */

/** A bucket in the store. The same key means the same slots for all parties. */
export interface SharedBucket {
  /** Key of the bucket in the store. */
  readonly key: string
  /** Requests allowed per window. */
  readonly limit: number
  /** ms. */
  readonly per: number
}

/** Request for leases. */
export interface AcquireRequest {
  /** Buckets that every request needs a slot of. */
  readonly buckets: readonly SharedBucket[]
  /** Number of requests that are to start. Each needs a slot of every bucket. 0 only checks whether the store is available. */
  readonly want: number
  /**
   * Maximum ms that a request may be in flight. If it is never settled, its slots are freed one window after that, or when its party is
   * considered dead.
   */
  readonly hold: number
  /**
   * For locks, ms: nothing is granted for this time after the store may have lost its grants. Leases are then held for `hold` even if their
   * party is dead.
   */
  readonly fence?: number | undefined
}

/** Leases that were granted. */
export interface Grant {
  /** Lease names, one for each request that may start, `want` at most. A name begins with the party's own name and a colon. */
  readonly leases: readonly string[]
  /** If fewer were granted than wanted: ms to wait before the next request. */
  readonly wait: number
  /** If fewer were granted than wanted: index of the bucket that is exhausted. */
  readonly blockedBy: number
  /** Number of parties that currently share the store, this one included. */
  readonly parties: number
}

/** Outcome of leased requests. */
export interface Settlement {
  /** Buckets of the leases. */
  readonly buckets: readonly SharedBucket[]
  /** Names of the leases. */
  readonly leases: readonly string[]
  /**
   * `answered`: the slot is released one window from now. `refused`: the same, and a running block stays. `lost`: the same after a grace
   * period, in which the request may still arrive. `unused`: the slot is free at once.
   */
  readonly how: 'answered' | 'refused' | 'lost' | 'unused'
  /** Used slots of the first bucket, if the service reported them. A surplus over the store's own count belongs to other clients. */
  readonly used?: number | undefined
}

/** A lease to be held for longer. */
export interface LeaseRenewal {
  /** Bucket of the lease. */
  readonly bucket: SharedBucket
  /** Name of the lease. */
  readonly lease: string
  /** As in the request for it. */
  readonly hold: number
}

/** Number of 401, 403 and 429 responses in the last ten minutes. */
export interface Refusals {
  /** Total of all parties that share the store. */
  readonly total: number
  /** ms until the oldest of them no longer count. */
  readonly oldest: number
}

/** Each method is one atomic step and one round trip. A rejection means that the store is unavailable. */
export interface RateLimitStore {
  /** Returns the same store with keys of their own for an application, whose clients call it. Default: each key begins with the application id. */
  forApplication?(applicationId: string): RateLimitStore
  /** Minimum number of parties, before the store has responded. Default 1. */
  readonly parties?: number
  /** ms allowed for the first response, which includes connecting. Default 1,000, as for all others. */
  readonly connectTimeout?: number
  /** Requests leases. Also counts as a heartbeat. */
  acquire(request: AcquireRequest): Promise<Grant>
  /** Settles leases: their requests have ended. */
  settle(settlement: Settlement): Promise<void>
  /** Holds a lease as long as if it had just been granted; false if it has ended. A store without this method grants short locks only. */
  renew?(renewal: LeaseRenewal): Promise<boolean>
  /** Blocks a bucket after a 429: nothing starts for `ms`, then one request at a time until one is answered. */
  block(bucket: SharedBucket, ms: number): Promise<void>
  /** Ends a block at once. One request at a time may then try, as after a block has expired. */
  unblock(bucket: SharedBucket): Promise<void>
  /** Adds refusals for all parties that share the store, since the edge counts them per IP address too. */
  countRefusals(count: number): Promise<Refusals>
  /** Leaves the store; in-flight requests of this party stay counted until they would have ended. */
  close(): Promise<void>
}

/** Maximum ms of a block before one request tries again, unless the limit has a longer window. */
const MAX_BLOCK = 300_000

/** ms for which a 429 with `retryAfter` blocks a bucket. Capped, so that an implausible wait locks nobody out. */
export const blockFor = (retryAfter: number, per: number): number =>
  Math.min(retryAfter, Math.max(MAX_BLOCK, per))

/** ms after which an abandoned request can no longer reach the service. */
export const ARRIVAL_GRACE = 1000

/** Tolerance in ms for the difference of two clocks over one window, timers included: 2 ms, or 0.02 % of the window. */
export const margin = (per: number): number => Math.max(2, Math.ceil(per / 5000))

/**
 * Time at which a slot is free whose response came at `now`. The server counted the request no later than that, so a request sent after
 * this time lies outside every window that holds the first. Rounded up to 1/1024 of the window to keep the log short.
 */
export function freeAt(now: number, per: number): number {
  const step = granularity(per)
  return Math.ceil((now + per + margin(per)) / step) * step
}

/** Granularity of release times in ms. */
export const granularity = (per: number): number => Math.max(1, Math.floor(per / 1024))

/** ms for which slots stay reserved for a late party: timers run late, for example in a background tab. */
export const reservationHold = (per: number): number => Math.min(1000, Math.ceil(per / 10))

/** Refusals are counted over this many ms, in intervals of `REFUSAL_PART`. */
export const REFUSAL_WINDOW = 600_000
export const REFUSAL_PART = 10_000

/** Heartbeat interval in ms of a party with requests in flight. */
export const HEARTBEAT = 1000

/** ms after its last heartbeat at which a party is considered dead; requests that it sent by then arrive within the grace period. */
export const DEAD_AFTER = 3 * HEARTBEAT + ARRIVAL_GRACE

/** ms after its last heartbeat at which a party no longer counts when limits are divided. */
export const INACTIVE_AFTER = 60_000

/** ms after its last heartbeat at which a party is deleted. */
export const FORGET_AFTER = 10 * INACTIVE_AFTER
