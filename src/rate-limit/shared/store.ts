/** The port to a budget that several tabs, workers or processes share, and the arithmetic that all who keep its book agree on. */

/** A bucket as the store knows it: the same key means the same slots, whoever asks. */
export interface SharedBucket {
  readonly key: string
  readonly limit: number
  /** ms. */
  readonly per: number
}

export interface AcquireRequest {
  readonly buckets: readonly SharedBucket[]
  /** How many requests want to start. Each needs a slot of every bucket. 0 asks only whether the store is there. */
  readonly want: number
  /** ms that a request may be out. The slots of one that never comes back are free after that and a window, or when its party is silent. */
  readonly hold: number
  /**
   * For a lock, ms: nothing is granted for so long after the store may have forgotten what it had granted. Leases are kept for `hold` then,
   * also those of a party that is silent.
   */
  readonly fence?: number | undefined
}

export interface Grant {
  /** One name for each request that may start: `want` of them at the most. It begins with the party's own name and a colon. */
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
  /** How many slots of the first bucket are taken, where the service has told. Those that the book does not know are somebody else's. */
  readonly used?: number | undefined
}

/** Answers 401, 403 and 429 of the last ten minutes. */
export interface Refusals {
  /** Of all who share the budget. */
  readonly total: number
  /** ms until the oldest of them do not count any more. */
  readonly oldest: number
}

/** Every method is one atomic step, and one round trip. A rejection means that the store is away. */
export interface RateLimitStore {
  /** How many share the budget at the least: known before the store has answered. Default 1. */
  readonly parties?: number
  /** ms that the first answer may take, while a connection is made. Default 1,000, as for every other. */
  readonly connectTimeout?: number
  /** Also a sign of life. */
  acquire(ask: AcquireRequest): Promise<Grant>
  settle(settlement: Settlement): Promise<void>
  /** After a refusal by the service: nothing of this bucket starts within `ms`, then one request at a time until one is answered. */
  block(bucket: SharedBucket, ms: number): Promise<void>
  /** Ends a block at once. One request at a time may then try, as after a block that is over. */
  unblock(bucket: SharedBucket): Promise<void>
  /** Counts so many refusals of this address, for all who share the budget: the edge counts them for an address, too. */
  countRefusals(count: number): Promise<Refusals>
  /** Leaves the budget; what this party has in flight stays counted until it would have come back. */
  close(): Promise<void>
}

/** ms for which a refusal is believed before one request tries again, unless its limit is known to have a longer window. */
const LONGEST_BLOCK = 300_000

/** ms for which a bucket is blocked, of a refusal that asks for `retryAfter`. A wait beyond reason must not lock anybody out. */
export const blockFor = (retryAfter: number, per: number): number => Math.min(retryAfter, Math.max(LONGEST_BLOCK, per))

/** ms after which a request that was given up will not reach the service any more. */
export const ARRIVAL_GRACE = 1000

/** How far two clocks may disagree about one window, timers included: 2 ms, or 200 millionths of it. */
export const margin = (per: number): number => Math.max(2, Math.ceil(per / 5000))

/**
 * When a slot whose answer came at `now` is free again. The server checked the request no later than that, so a request that is sent
 * after it lies outside every window that holds the first. Rounded up to a thousandth of the window, so that a log stays short.
 */
export function freeAt(now: number, per: number): number {
  const grain = grainOf(per)
  return Math.ceil((now + per + margin(per)) / grain) * grain
}

/** ms to which release times are rounded. */
export const grainOf = (per: number): number => Math.max(1, Math.floor(per / 1024))

/** ms that slots wait for a party which is late: a timer may be, in a tab that nobody sees. */
export const reservationHold = (per: number): number => Math.min(1000, Math.ceil(per / 10))

/** Refusals are counted for so many ms, in parts of `REFUSAL_PART`. */
export const REFUSAL_WINDOW = 600_000
export const REFUSAL_PART = 10_000

/** ms between two signs of life of a party that has requests under way. */
export const HEARTBEAT = 1000

/** ms after its last sign of life at which a party is taken for dead; what it had sent by then arrives within the grace. */
export const DEAD_AFTER = 3 * HEARTBEAT + ARRIVAL_GRACE

/** A party that has been silent so many ms does not count when a budget is divided. */
export const INACTIVE_AFTER = 60_000

/** ms after its last sign of life at which a party is forgotten. */
export const FORGET_AFTER = 10 * INACTIVE_AFTER
