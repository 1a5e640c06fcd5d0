/** The port to a budget that several tabs, workers or processes share. */

/** A bucket as the store knows it: the same key means the same slots, whoever asks. */
export interface SharedBucket {
  readonly key: string
  readonly limit: number
  /** ms. */
  readonly per: number
}

export interface Ask {
  readonly buckets: readonly SharedBucket[]
  /** How many requests want to start. Each needs a slot of every bucket. 0 asks only whether the store is there. */
  readonly want: number
  /** ms that a request may be out. The slots of one that never comes back are free after that and a window. */
  readonly hold: number
}

export interface Grant {
  /** One name for each request that may start: `want` of them at the most. */
  readonly leases: readonly string[]
  /** Where fewer were granted than wanted: ms in which asking again is useless. */
  readonly wait: number
  /** Where fewer were granted than wanted: which of the buckets is in the way. */
  readonly blockedBy: number
  /** How many parties share the budget at present, this one included. */
  readonly parties: number
}

export interface Settlement {
  readonly buckets: readonly SharedBucket[]
  readonly leases: readonly string[]
  /**
   * `answered`: cools for a window from now. `refused`: so too, and tells nothing good. `lost`: so too, after a grace in which the
   * request may still arrive. `unused`: free at once.
   */
  readonly how: 'answered' | 'refused' | 'lost' | 'unused'
}

/** Every method is one atomic step, and one round trip. A rejection means that the store is away. */
export interface RateLimitStore {
  acquire(ask: Ask): Promise<Grant>
  settle(settlement: Settlement): Promise<void>
  /** After a refusal by the service: nothing of this bucket starts within `ms`, then one request at a time until one is answered. */
  block(bucket: SharedBucket, ms: number): Promise<void>
  /** Leaves the budget; what this party has in flight stays counted until it would have come back. */
  close(): Promise<void>
}
