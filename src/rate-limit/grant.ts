/** What a shared budget answers to an ask: how many may start, who is next, and when asking again is of use. Pages are changed in place. */
import { bury, type Page, type Parties, prune } from './ledger'
import { type Ask, type Grant, margin, patience, type SharedBucket } from './store'
import { after, before, most, promised, reduced } from './turns'
import { CoolingLog } from './window'

/** A bucket and its page. */
export type Entry = readonly [SharedBucket, Page]

/** Somebody's ask, as the book sees it. */
export interface Call {
  readonly ask: Ask
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
export function grant(entries: readonly Entry[], call: Call): Grant {
  const { want, hold } = call.ask
  const { count, blockedBy } = decide(
    entries.map((entry) => openTo(entry, call)),
    want,
  )
  const leases = call.name(count)
  let wait = 0
  for (const [index, entry] of entries.entries()) {
    const [{ per }, page] = entry
    for (const lease of leases) page.out[lease] = call.now + hold + per + margin(per)
    const rest = index === blockedBy ? want - count : 0
    if (want > 0) page.turns = after(page.turns, { party: call.party, granted: count, rest, part: partOf(entry, call) })
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
function openTo([bucket, page]: Entry, call: Call): number {
  const { party, now } = call
  const part = partOf([bucket, page], call)
  prune(page, now)
  if (call.ask.fence === undefined) bury(page, bucket, call)
  page.turns = reduced(page.turns, part)
  if (now < page.blockedUntil) return 0
  if (page.isProbing && Object.keys(page.out).length > 0) return 0
  const free = freeOf(page, bucket) - before(page.turns, party).slots
  return Math.max(0, Math.min(free, most(page.turns, party, part), page.isProbing ? 1 : free))
}

/** ms until a party may be served, and a promise that its slots are kept a moment longer. */
function waitFor(entry: Entry, { party, now }: Call): number {
  const [{ per }, page] = entry
  const wait = now < page.blockedUntil ? page.blockedUntil - now : Math.min(turnOf(entry, { party, now }) - now, probing(entry))
  page.turns = promised(page.turns, party, now + wait + patience(per))
  return wait
}

/** When a party's turn comes: now when more is free than is kept for others, or with a release, or when somebody else is late. */
function turnOf([bucket, page]: Entry, { party, now }: Pick<Call, 'party' | 'now'>): number {
  const kept = before(page.turns, party)
  const missing = kept.slots - freeOf(page, bucket)
  if (missing < 0) return now
  const release = CoolingLog.from(page.cooling).at(missing) ?? now + bucket.per + margin(bucket.per)
  return Math.min(release, kept.until)
}

/** ms between two looks whether the request that tries the service after a block was answered. */
const probing = ([{ per }, { isProbing }]: Entry): number => (isProbing ? Math.max(10, per / 50) : Number.POSITIVE_INFINITY)

/** What each gets while several wait. */
const partOf = ([{ limit }]: Entry, { parties }: Call): number => Math.ceil(limit / parties)

const freeOf = (page: Page, { limit }: SharedBucket): number =>
  Math.max(0, limit - Object.keys(page.out).length - CoolingLog.from(page.cooling).total)
