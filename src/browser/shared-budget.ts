/** One player's rate budget for all tabs and workers of a page's origin. */
import type { Clock } from '../foundation/clock'
import { isRecord, randomText } from '../foundation/encoding'
import { steady, type SteadyClock } from '../foundation/steady-clock'
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
import type { Ask, Grant, RateLimitStore, Settlement, SharedBucket } from '../rate-limit/store'
import { openSharedRecords, type SharedRecords } from './tabs'

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
  return new TabBudget(openSharedRecords(`foyer-limits-${name}`), steady(clock))
}

class TabBudget implements RateLimitStore {
  readonly #records: SharedRecords
  readonly #clock: SteadyClock
  readonly #party = randomText().slice(0, 12)
  #offset: number
  #asks = 0

  constructor(records: SharedRecords, clock: SteadyClock) {
    this.#records = records
    this.#clock = clock
    this.#offset = clock.now() - clock.elapsed()
  }

  async acquire(ask: Ask): Promise<Grant> {
    const parties = await this.#attend({ leaves: false })
    if (ask.buckets.length === 0 || ask.want === 0) return { leases: [], wait: 0, blockedBy: 0, parties }
    const batch = `${this.#party}:${this.#asks++}:`
    return this.#turn(ask.buckets, (pages, now) => {
      const { count, ...obstacle } = decide(
        pages.map(([bucket, page]) => openingOf(page, bucket, now)),
        ask.want,
      )
      const leases = Array.from({ length: count }, (_, index) => batch + index)
      for (const [bucket, page] of pages) lend(page, leases, lentUntil(ask, bucket, now))
      return { leases, ...obstacle, parties }
    })
  }

  settle({ buckets, leases, how }: Settlement): Promise<void> {
    return this.#turn(buckets, (pages, now) => {
      for (const [bucket, page] of pages) settlePage(page, bucket, { leases, how, now })
    })
  }

  block(bucket: SharedBucket, ms: number): Promise<void> {
    return this.#turn([bucket], (pages, now) => {
      for (const [, page] of pages) blockPage(page, now + ms)
    })
  }

  async close(): Promise<void> {
    await this.#attend({ leaves: true })
    this.#records.close()
  }

  /** Reads the pages of some buckets, does something with them, and writes them back. */
  #turn<T>(buckets: readonly SharedBucket[], act: (pages: readonly (readonly [SharedBucket, Page])[], now: number) => T): Promise<T> {
    const keys = buckets.map(({ key }) => key)
    return this.#records.change(keys, (found) => {
      const { now, isStep } = this.#look()
      const pages = buckets.map((bucket, index) => [bucket, rebase(toPage(found[index]), bucket, { now, isStep })] as const)
      const result = act(pages, now)
      return { records: pages.map(([, page]) => (isBlank(page, now) ? undefined : page)), result }
    })
  }

  /** The hour, and whether it has leapt since the last look. */
  #look(): { now: number; isStep: boolean } {
    const now = this.#clock.now()
    const offset = now - this.#clock.elapsed()
    const isStep = Math.abs(offset - this.#offset) > STEP
    this.#offset = offset
    return { now, isStep }
  }

  #attend({ leaves }: { leaves: boolean }): Promise<number> {
    return this.#records.change([PARTIES], ([found]) => {
      const parties = toTimes(found)
      const result = attend(parties, this.#party, this.#clock.now())
      if (leaves) delete parties[this.#party]
      return { records: [parties], result }
    })
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
