/** The book of a shared budget as plain data, and what each step does to it: what a store in memory and one in a browser have in common. */
import { type Ask, freeAt, GRACE, type Grant, margin, type Settlement, type SharedBucket, SILENCE } from './store'
import { after, before, most, patience, promised, reduced, type Turn } from './turns'
import { CoolingLog } from './window'

/** One bucket. Times are those of the store's own clock. */
export interface Page {
  /** Release times with counts, in order. */
  cooling: number[]
  /** What is in flight: lease and the moment after which it is not coming back. */
  out: Record<string, number>
  blockedUntil: number
  /** After a block: one request at a time until one is answered. */
  isProbing: boolean
  /** Who waits, the next first. */
  turns: Turn[]
}

/** Who uses the budget, with the moment of the last sign of life. */
export type Parties = Record<string, number>

export const emptyPage = (): Page => ({ cooling: [], out: {}, blockedUntil: 0, isProbing: false, turns: [] })

/** A bucket and its page. */
export type Entry = readonly [SharedBucket, Page]

/** Somebody's ask, as the book sees it. */
export interface Call {
  readonly ask: Ask
  readonly party: string
  /** How many share the budget. */
  readonly parties: number
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

/** Forgets what is over by `now`. */
export function prune(page: Page, now: number): void {
  const log = CoolingLog.from(page.cooling)
  log.settle(now)
  page.cooling = log.toPairs()
  for (const [lease, until] of Object.entries(page.out)) if (until <= now) delete page.out[lease]
  page.turns = page.turns.filter(({ until }) => until > now)
}

/** Notes how requests ended. One that the book does not know any more still cools: the safe direction. */
export function settlePage(page: Page, bucket: SharedBucket, { leases, how, now }: Omit<Settlement, 'buckets'> & { now: number }): void {
  for (const lease of leases) delete page.out[lease]
  if (how === 'unused') return
  if (how === 'answered') page.isProbing = false
  const log = CoolingLog.from(page.cooling)
  log.add(freeAt(how === 'lost' ? now + GRACE : now, bucket.per), leases.length)
  page.cooling = log.toPairs()
}

export function blockPage(page: Page, until: number): void {
  page.blockedUntil = Math.max(page.blockedUntil, until)
  page.isProbing = true
}

/** No block is believed beyond a day. */
const LONGEST_BLOCK = 86_400_000

/**
 * Makes a page fit to be read at `now`, when the hour it was written at may not be trusted: after a step of the clock everything that
 * cools counts as just answered, and nothing lies further ahead than it can.
 */
export function rebase(page: Page, { per }: SharedBucket, { now, isStep }: { now: number; isStep: boolean }): Page {
  const latest = freeAt(now + GRACE, per)
  const log = CoolingLog.from(page.cooling)
  const isAhead = log.last > latest
  if (isStep || isAhead) page.cooling = log.total > 0 ? [freeAt(now, per), log.total] : []
  const latestTurn = Math.max(page.blockedUntil, latest) + patience(per)
  page.turns = page.turns.filter(({ until }) => !isStep && until <= latestTurn)
  for (const [lease, until] of Object.entries(page.out)) {
    const longest = now + SILENCE + per + margin(per)
    if (isStep || until > longest) page.out[lease] = longest
  }
  if (page.blockedUntil > now + LONGEST_BLOCK) page.blockedUntil = now + per
  return page
}

/** Whether a page says nothing any more. */
export function isBlank(page: Page, now: number): boolean {
  if (now < page.blockedUntil || page.cooling.length + page.turns.length > 0) return false
  return Object.keys(page.out).length === 0
}

/** Notes a sign of life and counts who is there. */
export function attend(parties: Parties, party: string, now: number): number {
  parties[party] = now
  for (const [other, seen] of Object.entries(parties)) if (seen < now - SILENCE || seen > now + SILENCE) delete parties[other]
  parties[party] = now
  return Object.keys(parties).length
}
