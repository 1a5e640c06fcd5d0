/** Allocation of a shared store's slots: leases to grant, reservations, and waits. Bucket states are modified in place. */
import {
  dropDeadParties,
  type BucketState,
  type Parties,
  dropExpired,
  updateReservations,
  reservedBefore,
  maxSlots,
  extendReservation,
  capReservations,
} from './bucket-state'
import { type AcquireRequest, type Grant, margin, reservationHold, type SharedBucket } from '../store-port'
import { ReleaseLog } from '../slot-window'

/** A bucket and its state. */
export type Entry = readonly [SharedBucket, BucketState]

/** A party's request to the store. */
export interface AllocationRequest {
  readonly request: AcquireRequest
  readonly party: string
  /** Number of parties that share the store. */
  readonly parties: number
  /** Last heartbeat of each party. */
  readonly present: Parties
  readonly now: number
  /** Generates names for `count` leases. */
  readonly name: (count: number) => string[]
}

/** Grants free slots in the order of the reservations. A party that gets less than it wants receives a reservation. */
export function allocate(entries: readonly Entry[], allocation: AllocationRequest): Grant {
  const { want, hold } = allocation.request
  const { count, blockedBy } = decide(
    entries.map((entry) => availableTo(entry, allocation)),
    want,
  )
  const leases = allocation.name(count)
  let wait = 0
  for (const [index, entry] of entries.entries()) {
    const [{ per }, state] = entry
    for (const lease of leases) state.out[lease] = allocation.now + hold + per + margin(per)
    const rest = index === blockedBy ? want - count : 0
    if (want > 0)
      state.reservations = updateReservations(state.reservations, {
        party: allocation.party,
        granted: count,
        rest,
        part: slotsPerParty(entry, allocation),
      })
    if (rest > 0) wait = waitFor(entry, allocation)
  }
  return { leases, wait, blockedBy, parties: allocation.parties }
}

/** Number of requests that may start, and the index of the bucket that limits it. */
function decide(openings: readonly number[], want: number): { count: number; blockedBy: number } {
  let found = { count: want, blockedBy: 0 }
  for (const [blockedBy, count] of openings.entries()) if (count < found.count) found = { count, blockedBy }
  return found
}

/** Drops expired entries and returns the number of slots available to a party. */
function availableTo([bucket, state]: Entry, allocation: AllocationRequest): number {
  const { party, now } = allocation
  const part = slotsPerParty([bucket, state], allocation)
  dropExpired(state, now)
  if (allocation.request.fence === undefined) dropDeadParties(state, bucket, allocation)
  state.reservations = capReservations(state.reservations, part)
  if (now < state.blockedUntil) return 0
  if (state.isProbing && Object.keys(state.out).length > 0) return 0
  const free = freeOf(state, bucket) - reservedBefore(state.reservations, party).slots
  return Math.max(0, Math.min(free, maxSlots(state.reservations, party, part), state.isProbing ? 1 : free))
}

/** ms until a party may be served. Extends its reservation to a moment after that. */
function waitFor(entry: Entry, { party, now }: AllocationRequest): number {
  const [{ per }, state] = entry
  const wait =
    now < state.blockedUntil
      ? state.blockedUntil - now
      : Math.min(reservationOf(entry, { party, now }) - now, probeInterval(entry))
  state.reservations = extendReservation(state.reservations, party, now + wait + reservationHold(per))
  return wait
}

/**
 * Time at which a party may be served: at its turn, or when the reservation before its own expires. If the turn is in a later window, half of
 * the way to it, one window at least: a few requests a turn, and parties that have left are noticed on the way.
 */
function reservationOf(
  [bucket, state]: Entry,
  { party, now }: Pick<AllocationRequest, 'party' | 'now'>,
): number {
  const reserved = reservedBefore(state.reservations, party)
  const free = freeOf(state, bucket)
  if (reserved.slots < free) return now
  const rounds = Math.floor(reserved.slots / bucket.limit)
  const span = bucket.per + margin(bucket.per)
  const afterFree = (reserved.slots % bucket.limit) - free
  const first = afterFree < 0 ? now : (ReleaseLog.from(state.releasing).at(afterFree) ?? now + span)
  return rounds === 0
    ? Math.min(first, reserved.until)
    : now + Math.max(span, (first + rounds * span - now) / 2)
}

/** ms between two checks whether the probe request after a block was answered. */
const probeInterval = ([{ per }, { isProbing }]: Entry): number =>
  isProbing ? Math.max(10, per / 50) : Number.POSITIVE_INFINITY

/** Slots for each party while several wait. */
const slotsPerParty = ([{ limit }]: Entry, { parties }: AllocationRequest): number =>
  Math.ceil(limit / parties)

const freeOf = (state: BucketState, { limit }: SharedBucket): number =>
  Math.max(0, limit - Object.keys(state.out).length - ReleaseLog.from(state.releasing).total)
