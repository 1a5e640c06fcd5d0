/** A budget that several clients of one process share. */
import { type Clock, systemClock } from '../foundation/clock'
import { steady, type SteadyClock } from '../foundation/steady-clock'
import { grant } from './grant'
import {
  attend,
  blockPage,
  countRefusals,
  emptyPage,
  isBlank,
  type Page,
  type Parties,
  prune,
  type RefusalParts,
  settlePage,
  unblockPage,
} from './ledger'
import { type Ask, type Grant, margin, type RateLimitStore, type Settlement, type SharedBucket } from './store'

/** The book itself; each client gets its own door to it. */
export class MemoryBudget {
  readonly #clock: SteadyClock
  readonly #pages = new Map<string, Page>()
  readonly #parties: Parties = {}
  readonly #refusals: RefusalParts = {}
  #next = 1
  #isSwept = false

  constructor(clock: Clock = systemClock) {
    this.#clock = steady(clock)
  }

  /** Pages in use. */
  get size(): number {
    return this.#pages.size
  }

  store(): RateLimitStore {
    const party = String(this.#next++)
    return {
      acquire: async (ask) => this.#acquire(ask, party),
      settle: async (settlement) => this.#settle(settlement),
      block: async (bucket, ms) => blockPage(this.#page(bucket), this.#clock.elapsed() + ms),
      unblock: async (bucket) => unblockPage(this.#page(bucket)),
      countRefusals: async (count) => countRefusals(this.#refusals, count, this.#clock.elapsed()),
      close: async () => void delete this.#parties[party],
    }
  }

  #acquire(ask: Ask, party: string): Grant {
    const now = this.#clock.elapsed()
    const present = this.#parties
    const parties = attend(present, party, { now })
    const entries = ask.buckets.map((bucket) => [bucket, this.#page(bucket)] as const)
    const name = (count: number) => Array.from({ length: count }, () => `${party}:${this.#next++}`)
    return grant(entries, { ask, party, parties, present, now, name })
  }

  #settle(settlement: Settlement): void {
    const now = this.#clock.elapsed()
    for (const bucket of settlement.buckets) settlePage(this.#page(bucket), bucket, { ...settlement, now })
  }

  #page({ key, per }: SharedBucket): Page {
    const page = this.#pages.get(key) ?? emptyPage()
    this.#pages.set(key, page)
    if (!this.#isSwept) this.#sweepLater(per)
    return page
  }

  #sweepLater(per: number): void {
    this.#isSwept = true
    this.#clock.idle(per + margin(per) * 2, () => this.#sweep(per))
  }

  #sweep(per: number): void {
    const now = this.#clock.elapsed()
    this.#isSwept = false
    for (const [key, page] of this.#pages) {
      prune(page, now)
      if (isBlank(page, now)) this.#pages.delete(key)
    }
    if (this.#pages.size > 0) this.#sweepLater(per)
  }
}
