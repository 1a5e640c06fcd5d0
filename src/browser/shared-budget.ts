/** One player's rate budget for all tabs and workers of a page's origin. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import { randomText } from '../foundation/random'
import { steady, type SteadyClock } from '../foundation/steady-clock'
import { type Entry, grant } from '../rate-limit/grant'
import { attend, blockPage, countRefusals, emptyPage, isBlank, type Page, rebase, settlePage, unblockPage } from '../rate-limit/ledger'
import type { Ask, Grant, RateLimitStore, Refusals, Settlement, SharedBucket } from '../rate-limit/store'
import { openSharedRecords, type SharedRecords } from './tabs'

export interface SharedBudgetOptions {
  /** Tabs with the same name share: put the application's id into it. */
  name: string
  clock: Clock
}

/** The machine's clock was set, or the machine slept, when hour and steady counter part by more. ms. */
const STEP = 50
const PARTIES = ':parties'
const REFUSALS = ':refusals'

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
  readonly #offset: number
  /** How far hour and steady counter lay apart when a record was last looked at. */
  readonly #offsets = new Map<string, number>()
  #asks = 0

  constructor(records: SharedRecords, clock: SteadyClock) {
    this.#records = records
    this.#clock = clock
    this.#offset = clock.now() - clock.elapsed()
  }

  async acquire(ask: Ask): Promise<Grant> {
    const batch = `${this.#party}:${this.#asks++}:`
    const name = (count: number) => Array.from({ length: count }, (_, index) => batch + index)
    return this.#records.change([PARTIES, ...ask.buckets.map(({ key }) => key)], ([found, ...records]) => {
      const now = this.#clock.now()
      const present = toTimes(found)
      const parties = attend(present, this.#party, { now, isStep: this.#isStep(PARTIES, now) })
      const entries = this.#read(ask.buckets, records, now)
      const result = grant(entries, { ask, party: this.#party, parties, present, now, name })
      return { records: [present, ...written(entries, now)], result }
    })
  }

  settle(settlement: Settlement): Promise<void> {
    return this.#turn(settlement.buckets, (page, bucket, now) => settlePage(page, bucket, { ...settlement, now }))
  }

  block(bucket: SharedBucket, ms: number): Promise<void> {
    return this.#turn([bucket], (page, _, now) => blockPage(page, now + ms))
  }

  unblock(bucket: SharedBucket): Promise<void> {
    return this.#turn([bucket], unblockPage)
  }

  countRefusals(count: number): Promise<Refusals> {
    return this.#records.change([REFUSALS], ([found]) => {
      const parts = toTimes(found)
      const result = countRefusals(parts, count, this.#clock.now())
      return { records: [parts], result }
    })
  }

  async close(): Promise<void> {
    await this.#records.change([PARTIES], ([found]) => {
      const { [this.#party]: _, ...parties } = toTimes(found)
      return { records: [parties], result: undefined }
    })
    this.#records.close()
  }

  /** Reads the pages of some buckets, does something with each, and writes them back. */
  #turn(buckets: readonly SharedBucket[], act: (page: Page, bucket: SharedBucket, now: number) => void): Promise<void> {
    const keys = buckets.map(({ key }) => key)
    return this.#records.change(keys, (found) => {
      const now = this.#clock.now()
      const entries = this.#read(buckets, found, now)
      for (const [bucket, page] of entries) act(page, bucket, now)
      return { records: written(entries, now), result: undefined }
    })
  }

  /** The pages of some buckets, as they were found. */
  #read(buckets: readonly SharedBucket[], found: readonly unknown[], now: number): Entry[] {
    return buckets.map((bucket, index) => [bucket, rebase(toPage(found[index]), bucket, { now, isStep: this.#isStep(bucket.key, now) })])
  }

  /** Whether the hour has leapt since this tab last looked at a record: the times in others are still those of before. */
  #isStep(key: string, now: number): boolean {
    const offset = now - this.#clock.elapsed()
    const before = this.#offsets.get(key) ?? this.#offset
    this.#offsets.set(key, offset)
    return Math.abs(offset - before) > STEP
  }
}

/** A page that says nothing is not kept. */
const written = (entries: readonly Entry[], now: number): (Page | undefined)[] =>
  entries.map(([, page]) => (isBlank(page, now) ? undefined : page))

/** What another version or another hand has left there is no page. */
function toPage(value: unknown): Page {
  const page = emptyPage()
  if (!isRecord(value)) return page
  const { cooling, out, blockedUntil, isProbing, turns } = value
  if (Array.isArray(cooling) && cooling.length % 2 === 0 && cooling.every(Number.isFinite)) page.cooling = cooling.map(Number)
  if (typeof blockedUntil === 'number' && Number.isFinite(blockedUntil)) page.blockedUntil = blockedUntil
  if (Array.isArray(turns)) page.turns = turns.filter(isTurn)
  return { ...page, out: toTimes(out), isProbing: isProbing === true }
}

function isTurn(value: unknown): value is Page['turns'][number] {
  if (!isRecord(value)) return false
  const { party, slots, until } = value
  return typeof party === 'string' && typeof slots === 'number' && slots > 0 && typeof until === 'number'
}

function toTimes(value: unknown): Record<string, number> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).flatMap(([key, time]) => (typeof time === 'number' ? [[key, time] as const] : [])))
}
