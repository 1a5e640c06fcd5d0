/** State of a shared bucket as plain data, with the operations on it. Common to the stores in memory and in IndexedDB. */
import {
  blockFor,
  freeAt,
  ARRIVAL_GRACE,
  DEAD_AFTER,
  type LeaseRenewal,
  margin,
  FORGET_AFTER,
  reservationHold,
  REFUSAL_PART,
  REFUSAL_WINDOW,
  type Refusals,
  type Settlement,
  type SharedBucket,
  INACTIVE_AFTER,
} from '../store-port'
import { ReleaseLog } from '../slot-window'

/** State of one bucket. Times are those of the store's own clock. */
export interface BucketState {
  /** Release times with counts, in order. */
  releasing: number[]
  /** In-flight leases with the time at which they expire. */
  out: Record<string, number>
  blockedUntil: number
  /** After a block: one request at a time until one is answered. */
  isProbing: boolean
  /** Reservations of waiting parties, in order. */
  reservations: Reservation[]
}

/** Parties that use the store, with the time of their last heartbeat. */
export type Parties = Record<string, number>

export const emptyBucketState = (): BucketState => ({
  releasing: [],
  out: {},
  blockedUntil: 0,
  isProbing: false,
  reservations: [],
})

/** Drops in-flight leases of parties whose heartbeat has stopped; their requests have arrived by then. */
export function dropDeadParties(
  state: BucketState,
  { per }: SharedBucket,
  { present, now }: { present: Parties; now: number },
): void {
  for (const lease of Object.keys(state.out)) {
    const lastSeen = present[lease.slice(0, lease.indexOf(':'))] ?? now
    if (lastSeen + DEAD_AFTER + per + margin(per) <= now) delete state.out[lease]
  }
}

/** Drops entries that have expired at `now`. */
export function dropExpired(state: BucketState, now: number): void {
  const log = ReleaseLog.from(state.releasing)
  log.expire(now)
  state.releasing = log.toPairs()
  for (const [lease, until] of Object.entries(state.out)) if (until <= now) delete state.out[lease]
  state.reservations = state.reservations.filter(({ until }) => until > now)
}

/** Records the outcome of requests. An unknown lease still occupies its slot for a full window, to be safe. */
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
  const counted = log.total + leases.length + Object.keys(state.out).length
  const foreign = bucket === buckets[0] ? Math.max(0, used - counted) : 0
  log.add(freeAt(how === 'lost' ? now + ARRIVAL_GRACE : now, bucket.per), leases.length + foreign)
  state.releasing = log.toPairs()
}

/** Returns false if the lease has ended. */
export function renewLease(
  state: BucketState,
  { bucket: { per }, lease, hold }: LeaseRenewal,
  now: number,
): boolean {
  const isHeld = (state.out[lease] ?? 0) > now
  if (isHeld) state.out[lease] = now + hold + per + margin(per)
  return isHeld
}

export function blockBucket(state: BucketState, until: number): void {
  state.blockedUntil = Math.max(state.blockedUntil, until)
  state.isProbing = true
}

/** Ends a block; then one request at a time is allowed. */
export function unblockBucket(state: BucketState): void {
  state.blockedUntil = 0
}

/**
 * Adjusts stored times to the clock's current time `now`. After a step of the clock, all releasing slots count as just answered; in any
 * case no time lies further ahead than possible.
 */
export function normalizeClock(
  state: BucketState,
  { per }: SharedBucket,
  { now, isStep }: { now: number; isStep: boolean },
): BucketState {
  const latest = freeAt(now + ARRIVAL_GRACE, per)
  const log = ReleaseLog.from(state.releasing)
  const isAhead = log.last > latest
  if (isStep || isAhead) state.releasing = log.total > 0 ? [freeAt(now, per), log.total] : []
  const latestReservation = Math.max(state.blockedUntil, latest) + reservationHold(per)
  state.reservations = state.reservations.filter(({ until }) => !isStep && until <= latestReservation)
  for (const [lease, until] of Object.entries(state.out)) {
    const latestExpiry = now + INACTIVE_AFTER + per + margin(per)
    if (isStep || until > latestExpiry) state.out[lease] = latestExpiry
  }
  state.blockedUntil = now + blockFor(state.blockedUntil - now, per)
  return state
}

/** Refusals by interval of `REFUSAL_PART`. */
export type RefusalParts = Record<string, number>

/** Adds refusals at `now` and drops expired ones. Entries in the future come from a clock that was set back since. */
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

/** True if the state can be deleted. */
export function isEmpty(state: BucketState, now: number): boolean {
  if (now < state.blockedUntil || state.releasing.length + state.reservations.length > 0) return false
  return Object.keys(state.out).length === 0
}

/** Records a heartbeat and returns the number of active parties. After a step of the clock every party counts as just seen. */
export function recordHeartbeat(
  parties: Parties,
  party: string,
  { now, isStep = false }: { now: number; isStep?: boolean },
): number {
  parties[party] = now
  for (const [other, lastSeen] of Object.entries(parties)) {
    if (isStep || lastSeen > now) parties[other] = now
    else if (lastSeen < now - FORGET_AFTER) delete parties[other]
  }
  return Object.values(parties).filter((lastSeen) => lastSeen >= now - INACTIVE_AFTER).length
}

/** Slots reserved for a party that was given a time to come back. */
export interface Reservation {
  readonly party: string
  readonly slots: number
  /** Expiry: afterwards the party is late, or gone. */
  readonly until: number
}

/**
 * Slots reserved for the parties before `party`, and the expiry of the last of these reservations: a party that does not come leaves its slot
 * to the next one. If all others looked too, each grant would cost as many requests as parties wait.
 */
export function reservedBefore(
  reservations: readonly Reservation[],
  party: string,
): { slots: number; until: number } {
  const own = reservations.findIndex((reservation) => reservation.party === party)
  const ahead = own < 0 ? reservations : reservations.slice(0, own)
  return {
    slots: ahead.reduce((sum, { slots }) => sum + slots, 0),
    until: ahead.at(-1)?.until ?? Number.POSITIVE_INFINITY,
  }
}

/** Maximum that a party may take at once: the rest of its reservation, `part` without one, unlimited if no other party waits. */
export function maxSlots(reservations: readonly Reservation[], party: string, part: number): number {
  const own = reservations.find((reservation) => reservation.party === party)
  return reservations.length > (own ? 1 : 0) ? (own?.slots ?? part) : Number.POSITIVE_INFINITY
}

/**
 * The order after a party was granted `granted` slots and waits for `rest` more: it keeps its position until its reservation is used up.
 */
export function updateReservations(
  reservations: readonly Reservation[],
  grant: { party: string; granted: number; rest: number; part: number },
): Reservation[] {
  const { party, granted, rest, part } = grant
  const own = reservations.findIndex((reservation) => reservation.party === party)
  const left = (reservations[own]?.slots ?? 0) - granted
  const others = reservations.filter((reservation) => reservation.party !== party)
  if (rest === 0) return others
  const index = left > 0 ? own : others.length
  const reservation = {
    party,
    slots: Math.min(rest, left > 0 ? left : part),
    until: Number.POSITIVE_INFINITY,
  }
  return [...others.slice(0, index), reservation, ...others.slice(index)]
}

/** Caps each reservation at `part`, since more parties have joined. */
export const capReservations = (reservations: readonly Reservation[], part: number): Reservation[] =>
  reservations.map((reservation) => ({ ...reservation, slots: Math.min(reservation.slots, part) }))

/** Sets the expiry of a party's reservation. */
export const extendReservation = (
  reservations: readonly Reservation[],
  party: string,
  until: number,
): Reservation[] =>
  reservations.map((reservation) => (reservation.party === party ? { ...reservation, until } : reservation))
