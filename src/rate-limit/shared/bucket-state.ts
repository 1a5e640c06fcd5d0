/** The book of a shared budget as plain data, and what each step does to it: what a store in memory and one in a browser have in common. */
import {
  blockFor,
  freeAt,
  ARRIVAL_GRACE,
  DEAD_AFTER,
  margin,
  FORGET_AFTER,
  reservationHold,
  REFUSAL_PART,
  REFUSAL_WINDOW,
  type Refusals,
  type Settlement,
  type SharedBucket,
  INACTIVE_AFTER,
} from './store'
import type { Reservation } from './reservations'
import { ReleaseLog } from '../sliding-window'

/** One bucket. Times are those of the store's own clock. */
export interface BucketState {
  /** Release times with counts, in order. */
  releasing: number[]
  /** What is in flight: lease and the moment after which it is not coming back. */
  out: Record<string, number>
  blockedUntil: number
  /** After a block: one request at a time until one is answered. */
  isProbing: boolean
  /** Who waits, the next first. */
  reservations: Reservation[]
}

/** Who uses the budget, with the moment of the last sign of life. */
export type Parties = Record<string, number>

export const emptyBucketState = (): BucketState => ({ releasing: [], out: {}, blockedUntil: 0, isProbing: false, reservations: [] })

/** Forgets what parties had under way that have been silent for too long: it reached the service shortly after their last sign of life. */
export function dropDeadParties(state: BucketState, { per }: SharedBucket, { present, now }: { present: Parties; now: number }): void {
  for (const lease of Object.keys(state.out)) {
    const seen = present[lease.slice(0, lease.indexOf(':'))] ?? now
    if (seen + DEAD_AFTER + per + margin(per) <= now) delete state.out[lease]
  }
}

/** Forgets what is over by `now`. */
export function dropExpired(state: BucketState, now: number): void {
  const log = ReleaseLog.from(state.releasing)
  log.expire(now)
  state.releasing = log.toPairs()
  for (const [lease, until] of Object.entries(state.out)) if (until <= now) delete state.out[lease]
  state.reservations = state.reservations.filter(({ until }) => until > now)
}

/** Notes how requests ended. One that the book does not know any more still cools: the safe direction. */
export function settleBucket(
  state: BucketState,
  bucket: SharedBucket,
  { buckets, leases, how, used = 0, now }: Settlement & { now: number },
): void {
  for (const lease of leases) delete state.out[lease]
  if (how === 'unused') return
  if (how === 'answered') state.isProbing = false
  dropExpired(state, now)
  const log = ReleaseLog.from(state.releasing)
  const known = log.total + leases.length + Object.keys(state.out).length
  const foreign = bucket === buckets[0] ? Math.max(0, used - known) : 0
  log.add(freeAt(how === 'lost' ? now + ARRIVAL_GRACE : now, bucket.per), leases.length + foreign)
  state.releasing = log.toPairs()
}

export function blockBucket(state: BucketState, until: number): void {
  state.blockedUntil = Math.max(state.blockedUntil, until)
  state.isProbing = true
}

/** Ends a block; one request at a time tries. */
export function unblockBucket(state: BucketState): void {
  state.blockedUntil = 0
}

/**
 * Makes a page fit to be read at `now`, when the hour it was written at may not be trusted: after a step of the clock everything that
 * cools counts as just answered, and nothing lies further ahead than it can.
 */
export function normalizeClock(state: BucketState, { per }: SharedBucket, { now, isStep }: { now: number; isStep: boolean }): BucketState {
  const latest = freeAt(now + ARRIVAL_GRACE, per)
  const log = ReleaseLog.from(state.releasing)
  const isAhead = log.last > latest
  if (isStep || isAhead) state.releasing = log.total > 0 ? [freeAt(now, per), log.total] : []
  const latestTurn = Math.max(state.blockedUntil, latest) + reservationHold(per)
  state.reservations = state.reservations.filter(({ until }) => !isStep && until <= latestTurn)
  for (const [lease, until] of Object.entries(state.out)) {
    const longest = now + INACTIVE_AFTER + per + margin(per)
    if (isStep || until > longest) state.out[lease] = longest
  }
  state.blockedUntil = now + blockFor(state.blockedUntil - now, per)
  return state
}

/** Refusals by the part of an hour that they came in. */
export type RefusalParts = Record<string, number>

/** Adds refusals of now and drops those that are over. What lies ahead was noted by a clock that has been set back since. */
export function countRefusals(parts: RefusalParts, count: number, now: number): Refusals {
  const current = Math.floor(now / REFUSAL_PART)
  const first = current - REFUSAL_WINDOW / REFUSAL_PART
  let [total, oldest] = [count, current]
  for (const [part, counted] of Object.entries(parts)) {
    const at = Math.min(Number(part), current)
    if (at !== Number(part) || at < first) delete parts[part]
    if (at < first) continue
    total += counted
    oldest = Math.min(oldest, at)
    if (at !== Number(part)) parts[current] = (parts[current] ?? 0) + counted
  }
  if (count > 0) parts[current] = (parts[current] ?? 0) + count
  return { total, oldest: (oldest + 1) * REFUSAL_PART + REFUSAL_WINDOW - now }
}

/** Whether a page says nothing any more. */
export function isEmpty(state: BucketState, now: number): boolean {
  if (now < state.blockedUntil || state.releasing.length + state.reservations.length > 0) return false
  return Object.keys(state.out).length === 0
}

/** Notes a sign of life and counts who is there. After a step of the clock everybody has just been seen. */
export function recordHeartbeat(parties: Parties, party: string, { now, isStep = false }: { now: number; isStep?: boolean }): number {
  parties[party] = now
  for (const [other, seen] of Object.entries(parties)) {
    if (isStep || seen > now) parties[other] = now
    else if (seen < now - FORGET_AFTER) delete parties[other]
  }
  return Object.values(parties).filter((seen) => seen >= now - INACTIVE_AFTER).length
}
