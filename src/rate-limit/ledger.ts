/** The book of a shared budget as plain data, and what each step does to it: what a store in memory and one in a browser have in common. */
import {
  blockFor,
  freeAt,
  GRACE,
  LAPSE,
  margin,
  OBLIVION,
  patience,
  REFUSAL_PART,
  REFUSAL_WINDOW,
  type Refusals,
  type Settlement,
  type SharedBucket,
  SILENCE,
} from './store'
import type { Turn } from './turns'
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

/** Forgets what parties had under way that have been silent for too long: it reached the service shortly after their last sign of life. */
export function bury(page: Page, { per }: SharedBucket, { present, now }: { present: Parties; now: number }): void {
  for (const lease of Object.keys(page.out)) {
    const seen = present[lease.slice(0, lease.indexOf(':'))] ?? now
    if (seen + LAPSE + per + margin(per) <= now) delete page.out[lease]
  }
}

/** Forgets what is over by `now`. */
export function prune(page: Page, now: number): void {
  const log = CoolingLog.from(page.cooling)
  log.settle(now)
  page.cooling = log.toPairs()
  for (const [lease, until] of Object.entries(page.out)) if (until <= now) delete page.out[lease]
  page.turns = page.turns.filter(({ until }) => until > now)
}

/** Notes how requests ended. One that the book does not know any more still cools: the safe direction. */
export function settlePage(page: Page, bucket: SharedBucket, { buckets, leases, how, used = 0, now }: Settlement & { now: number }): void {
  for (const lease of leases) delete page.out[lease]
  if (how === 'unused') return
  if (how === 'answered') page.isProbing = false
  prune(page, now)
  const log = CoolingLog.from(page.cooling)
  const known = log.total + leases.length + Object.keys(page.out).length
  const foreign = bucket === buckets[0] ? Math.max(0, used - known) : 0
  log.add(freeAt(how === 'lost' ? now + GRACE : now, bucket.per), leases.length + foreign)
  page.cooling = log.toPairs()
}

export function blockPage(page: Page, until: number): void {
  page.blockedUntil = Math.max(page.blockedUntil, until)
  page.isProbing = true
}

/** Ends a block; one request at a time tries. */
export function unblockPage(page: Page): void {
  page.blockedUntil = 0
}

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
  page.blockedUntil = now + blockFor(page.blockedUntil - now, per)
  return page
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
export function isBlank(page: Page, now: number): boolean {
  if (now < page.blockedUntil || page.cooling.length + page.turns.length > 0) return false
  return Object.keys(page.out).length === 0
}

/** Notes a sign of life and counts who is there. After a step of the clock everybody has just been seen. */
export function attend(parties: Parties, party: string, { now, isStep = false }: { now: number; isStep?: boolean }): number {
  parties[party] = now
  for (const [other, seen] of Object.entries(parties)) {
    if (isStep || seen > now) parties[other] = now
    else if (seen < now - OBLIVION) delete parties[other]
  }
  return Object.values(parties).filter((seen) => seen >= now - SILENCE).length
}
