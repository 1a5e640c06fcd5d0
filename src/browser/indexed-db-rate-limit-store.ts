/** One player's rate budget for all tabs and workers of a page's origin. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import { randomText } from '../foundation/random'
import { monotonic, type MonotonicClock } from '../foundation/monotonic-clock'
import { type Entry, allocate } from '../rate-limit/shared/allocate'
import {
  recordHeartbeat,
  blockBucket,
  countRefusals,
  emptyBucketState,
  isEmpty,
  type BucketState,
  normalizeClock,
  settleBucket,
  unblockBucket,
} from '../rate-limit/shared/bucket-state'
import type { AcquireRequest, Grant, RateLimitStore, Refusals, Settlement, SharedBucket } from '../rate-limit/shared/store'
import { openRecords, type Records } from './indexed-db-records'

export interface IndexedDbRateLimitStoreOptions {
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
export function indexedDbRateLimitStore({ name, clock }: IndexedDbRateLimitStoreOptions): RateLimitStore {
  return new IndexedDbRateLimitStore(openRecords(`foyer-limits-${name}`), monotonic(clock))
}

class IndexedDbRateLimitStore implements RateLimitStore {
  readonly #records: Records
  readonly #clock: MonotonicClock
  readonly #party = randomText().slice(0, 12)
  readonly #offset: number
  /** How far hour and steady counter lay apart when a record was last looked at. */
  readonly #offsets = new Map<string, number>()
  #asks = 0

  constructor(records: Records, clock: MonotonicClock) {
    this.#records = records
    this.#clock = clock
    this.#offset = clock.now() - clock.elapsed()
  }

  async acquire(ask: AcquireRequest): Promise<Grant> {
    const batch = `${this.#party}:${this.#asks++}:`
    const name = (count: number) => Array.from({ length: count }, (_, index) => batch + index)
    return this.#records.update([PARTIES, ...ask.buckets.map(({ key }) => key)], ([found, ...records]) => {
      const now = this.#clock.now()
      const present = toTimes(found)
      const parties = recordHeartbeat(present, this.#party, { now, isStep: this.#isStep(PARTIES, now) })
      const entries = this.#read(ask.buckets, records, now)
      const result = allocate(entries, { ask, party: this.#party, parties, present, now, name })
      return { records: [present, ...written(entries, now)], result }
    })
  }

  settle(settlement: Settlement): Promise<void> {
    return this.#turn(settlement.buckets, (state, bucket, now) => settleBucket(state, bucket, { ...settlement, now }))
  }

  block(bucket: SharedBucket, ms: number): Promise<void> {
    return this.#turn([bucket], (state, _, now) => blockBucket(state, now + ms))
  }

  unblock(bucket: SharedBucket): Promise<void> {
    return this.#turn([bucket], unblockBucket)
  }

  countRefusals(count: number): Promise<Refusals> {
    return this.#records.update([REFUSALS], ([found]) => {
      const parts = toTimes(found)
      const result = countRefusals(parts, count, this.#clock.now())
      return { records: [parts], result }
    })
  }

  async close(): Promise<void> {
    await this.#records.update([PARTIES], ([found]) => {
      const { [this.#party]: _, ...parties } = toTimes(found)
      return { records: [parties], result: undefined }
    })
    this.#records.close()
  }

  /** Reads the pages of some buckets, does something with each, and writes them back. */
  #turn(buckets: readonly SharedBucket[], act: (state: BucketState, bucket: SharedBucket, now: number) => void): Promise<void> {
    const keys = buckets.map(({ key }) => key)
    return this.#records.update(keys, (found) => {
      const now = this.#clock.now()
      const entries = this.#read(buckets, found, now)
      for (const [bucket, state] of entries) act(state, bucket, now)
      return { records: written(entries, now), result: undefined }
    })
  }

  /** The pages of some buckets, as they were found. */
  #read(buckets: readonly SharedBucket[], found: readonly unknown[], now: number): Entry[] {
    return buckets.map((bucket, index) => [
      bucket,
      normalizeClock(toPage(found[index]), bucket, { now, isStep: this.#isStep(bucket.key, now) }),
    ])
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
const written = (entries: readonly Entry[], now: number): (BucketState | undefined)[] =>
  entries.map(([, state]) => (isEmpty(state, now) ? undefined : state))

/** What another version or another hand has left there is no page. */
function toPage(value: unknown): BucketState {
  const state = emptyBucketState()
  if (!isRecord(value)) return state
  const { releasing, out, blockedUntil, isProbing, reservations } = value
  if (Array.isArray(releasing) && releasing.length % 2 === 0 && releasing.every(Number.isFinite)) state.releasing = releasing.map(Number)
  if (typeof blockedUntil === 'number' && Number.isFinite(blockedUntil)) state.blockedUntil = blockedUntil
  if (Array.isArray(reservations)) state.reservations = reservations.filter(isTurn)
  return { ...state, out: toTimes(out), isProbing: isProbing === true }
}

function isTurn(value: unknown): value is BucketState['reservations'][number] {
  if (!isRecord(value)) return false
  const { party, slots, until } = value
  return typeof party === 'string' && typeof slots === 'number' && slots > 0 && typeof until === 'number'
}

function toTimes(value: unknown): Record<string, number> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).flatMap(([key, time]) => (typeof time === 'number' ? [[key, time] as const] : [])))
}
