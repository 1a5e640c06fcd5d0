/** What a shared budget answers to an ask: how many may start, who is next, and when asking again is of use. Pages are changed in place. */
import { dropDeadParties, type BucketState, type Parties, dropExpired } from './bucket-state'
import { type AcquireRequest, type Grant, margin, reservationHold, type SharedBucket } from './store'
import { after, before, most, promised, reduced } from './reservations'
import { ReleaseLog } from '../sliding-window'

/** A bucket and its page. */
export type Entry = readonly [SharedBucket, BucketState]

/** Somebody's ask, as the book sees it. */
export interface AllocationRequest {
  readonly ask: AcquireRequest
  readonly party: string
  /** How many share the budget. */
  readonly parties: number
  /** Who they are. */
  readonly present: Parties
  readonly now: number
  /** Names for `count` leases. */
  readonly name: (count: number) => string[]
}

/** Grants what is free and whose turn it is; who gets less than it wants has a turn from now on. */
export function allocate(entries: readonly Entry[], call: AllocationRequest): Grant {
  const { want, hold } = call.ask
  const { count, blockedBy } = decide(
    entries.map((entry) => openTo(entry, call)),
    want,
  )
  const leases = call.name(count)
  let wait = 0
  for (const [index, entry] of entries.entries()) {
    const [{ per }, state] = entry
    for (const lease of leases) state.out[lease] = call.now + hold + per + margin(per)
    const rest = index === blockedBy ? want - count : 0
    if (want > 0) state.reservations = after(state.reservations, { party: call.party, granted: count, rest, part: partOf(entry, call) })
    if (rest > 0) wait = waitFor(entry, call)
  }
  return { leases, wait, blockedBy, parties: call.parties }
}

/** How many may start, and what keeps the rest. */
function decide(openings: readonly number[], want: number): { count: number; blockedBy: number } {
  let found = { count: want, blockedBy: 0 }
  for (const [blockedBy, count] of openings.entries()) if (count < found.count) found = { count, blockedBy }
  return found
}

/** Drops what is over, and tells how many requests of a party may start. */
function openTo([bucket, state]: Entry, call: AllocationRequest): number {
  const { party, now } = call
  const part = partOf([bucket, state], call)
  dropExpired(state, now)
  if (call.ask.fence === undefined) dropDeadParties(state, bucket, call)
  state.reservations = reduced(state.reservations, part)
  if (now < state.blockedUntil) return 0
  if (state.isProbing && Object.keys(state.out).length > 0) return 0
  const free = freeOf(state, bucket) - before(state.reservations, party).slots
  return Math.max(0, Math.min(free, most(state.reservations, party, part), state.isProbing ? 1 : free))
}

/** ms until a party may be served, and a promise that its slots are kept a moment longer. */
function waitFor(entry: Entry, { party, now }: AllocationRequest): number {
  const [{ per }, state] = entry
  const wait = now < state.blockedUntil ? state.blockedUntil - now : Math.min(reservationOf(entry, { party, now }) - now, probing(entry))
  state.reservations = promised(state.reservations, party, now + wait + reservationHold(per))
  return wait
}

/** When a party's turn comes: now when more is free than is kept for others, or with a release, or when somebody else is late. */
function reservationOf([bucket, state]: Entry, { party, now }: Pick<AllocationRequest, 'party' | 'now'>): number {
  const kept = before(state.reservations, party)
  const missing = kept.slots - freeOf(state, bucket)
  if (missing < 0) return now
  const release = ReleaseLog.from(state.releasing).at(missing) ?? now + bucket.per + margin(bucket.per)
  return Math.min(release, kept.until)
}

/** ms between two looks whether the request that tries the service after a block was answered. */
const probing = ([{ per }, { isProbing }]: Entry): number => (isProbing ? Math.max(10, per / 50) : Number.POSITIVE_INFINITY)

/** What each gets while several wait. */
const partOf = ([{ limit }]: Entry, { parties }: AllocationRequest): number => Math.ceil(limit / parties)

const freeOf = (state: BucketState, { limit }: SharedBucket): number =>
  Math.max(0, limit - Object.keys(state.out).length - ReleaseLog.from(state.releasing).total)
