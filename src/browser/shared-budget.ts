/** One player's rate budget for all tabs and workers of a page's origin. */
import type { Clock } from '../foundation/clock'
import { isRecord, randomText } from '../foundation/encoding'
import { steady } from '../foundation/steady-clock'
import {
  attend,
  blockPage,
  decide,
  emptyPage,
  isBlank,
  lend,
  lentUntil,
  openingOf,
  type Page,
  rebase,
  settlePage,
} from '../rate-limit/ledger'
import type { RateLimitStore, SharedBucket } from '../rate-limit/store'
import { openSharedRecords } from './tabs'

export interface SharedBudgetOptions {
  /** Tabs with the same name share: put the application's id into it. */
  name: string
  clock: Clock
}

/** The machine's clock was set, or the machine slept, when hour and steady counter part by more. ms. */
const STEP = 50
const PARTIES = ':parties'

/**
 * A tab that dies leaves its requests counted until they would have come back. When the clock is set, everything that cools counts as
 * just answered: the safe direction. Other devices of the player, and frames whose storage is kept apart, are not seen here.
 */
export function sharedBudget({ name, clock }: SharedBudgetOptions): RateLimitStore {
  const records = openSharedRecords(`foyer-limits-${name}`)
  const { elapsed } = steady(clock)
  const party = randomText().slice(0, 12)
  let offset = clock.now() - elapsed()
  let asks = 0

  /** Reads the pages of some buckets, does something with them, and writes them back. */
  const turn = <T>(buckets: readonly SharedBucket[], act: (pages: readonly (readonly [SharedBucket, Page])[], now: number) => T) =>
    records.change(
      buckets.map(({ key }) => key),
      (found) => {
        const now = clock.now()
        const isStep = Math.abs(now - elapsed() - offset) > STEP
        offset = now - elapsed()
        const pages = buckets.map((bucket, index) => [bucket, rebase(toPage(found[index]), bucket, { now, isStep })] as const)
        const result = act(pages, now)
        return { records: pages.map(([, page]) => (isBlank(page, now) ? undefined : page)), result }
      },
    )
  const attendance = (leaves: { leaves: boolean }) =>
    records.change([PARTIES], ([found]) => {
      const parties = toTimes(found)
      const count = attend(parties, party, clock.now())
      if (leaves.leaves) delete parties[party]
      return { records: [parties], result: count }
    })

  return {
    async acquire(ask) {
      const parties = await attendance({ leaves: false })
      if (ask.buckets.length === 0 || ask.want === 0) return { leases: [], wait: 0, blockedBy: 0, parties }
      const batch = `${party}:${asks++}:`
      return turn(ask.buckets, (pages, now) => {
        const { count, ...obstacle } = decide(
          pages.map(([bucket, page]) => openingOf(page, bucket, now)),
          ask.want,
        )
        const leases = Array.from({ length: count }, (_, index) => batch + index)
        for (const [bucket, page] of pages) lend(page, leases, lentUntil(ask, bucket, now))
        return { leases, ...obstacle, parties }
      })
    },
    settle: ({ buckets, leases, how }) =>
      turn(buckets, (pages, now) => {
        for (const [bucket, page] of pages) settlePage(page, bucket, { leases, how, now })
      }),
    block: (bucket, ms) =>
      turn([bucket], (pages, now) => {
        for (const [, page] of pages) blockPage(page, now + ms)
      }),
    async close() {
      await attendance({ leaves: true })
      records.close()
    },
  }
}

/** What another version or another hand has left there is no page. */
function toPage(value: unknown): Page {
  const page = emptyPage()
  if (!isRecord(value)) return page
  const { cooling, out, blockedUntil, isProbing } = value
  if (Array.isArray(cooling) && cooling.length % 2 === 0 && cooling.every(Number.isFinite)) page.cooling = cooling.map(Number)
  if (typeof blockedUntil === 'number' && Number.isFinite(blockedUntil)) page.blockedUntil = blockedUntil
  return { ...page, out: toTimes(out), isProbing: isProbing === true }
}

function toTimes(value: unknown): Record<string, number> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).flatMap(([key, time]) => (typeof time === 'number' ? [[key, time] as const] : [])))
}
