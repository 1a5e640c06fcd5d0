/** Rate-limit store in IndexedDB, shared by all tabs and workers of an origin. */
import { type Clock } from '../../shared/foundation/clock'
import { monotonic, type MonotonicClock } from '../../shared/foundation/monotonic-clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { randomText } from '../../shared/foundation/crypto'
import { type Entry, allocate } from '../../shared/rate-limit/shared/allocate'
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
} from '../../shared/rate-limit/shared/bucket-state'
import type {
  AcquireRequest,
  Grant,
  RateLimitStore,
  Refusals,
  Settlement,
  SharedBucket,
} from '../../shared/rate-limit/store-port'
import { openRecords, type Records } from './indexed-db-records'

export interface IndexedDbRateLimitStoreOptions {
  /** Tabs with the same name share the store; contains the application id. */
  name: string
  clock: Clock
}

/** Difference in ms between wall clock and monotonic clock that indicates a clock change or sleep. */
const CLOCK_STEP = 50
const PARTIES = ':parties'
const REFUSALS = ':refusals'

/**
 * A closed tab's requests stay counted until their window ends. After a clock change, all cooling slots count as just used (fail safe).
 * Other devices and partitioned frames are not included.
 */
export function indexedDbRateLimitStore({ name, clock }: IndexedDbRateLimitStoreOptions): RateLimitStore {
  return new IndexedDbRateLimitStore(openRecords(`foyer-limits-${name}`, clock), monotonic(clock))
}

class IndexedDbRateLimitStore implements RateLimitStore {
  readonly #records: Records
  readonly #clock: MonotonicClock
  readonly #party = randomText().slice(0, 12)
  readonly #offset: number
  /** Wall clock minus monotonic clock at the last access, by record key. */
  readonly #offsets = new Map<string, number>()
  #requests = 0

  constructor(records: Records, clock: MonotonicClock) {
    this.#records = records
    this.#clock = clock
    this.#offset = clock.now() - clock.elapsed()
  }

  async acquire(request: AcquireRequest): Promise<Grant> {
    const batch = `${this.#party}:${this.#requests++}:`
    const name = (count: number) => Array.from({ length: count }, (_, index) => batch + index)
    return this.#records.update(
      [PARTIES, ...request.buckets.map(({ key }) => key)],
      ([found, ...records]) => {
        const now = this.#clock.now()
        const present = toTimes(found)
        const parties = recordHeartbeat(present, this.#party, { now, isStep: this.#isStep(PARTIES, now) })
        const entries = this.#read(request.buckets, records, now)
        const result = allocate(entries, { request, party: this.#party, parties, present, now, name })
        return { records: [present, ...written(entries, now)], result }
      },
    )
  }

  settle(settlement: Settlement): Promise<void> {
    return this.#updateBuckets(settlement.buckets, (state, bucket, now) =>
      settleBucket(state, bucket, { ...settlement, now }),
    )
  }

  block(bucket: SharedBucket, ms: number): Promise<void> {
    return this.#updateBuckets([bucket], (state, _, now) => blockBucket(state, now + ms))
  }

  unblock(bucket: SharedBucket): Promise<void> {
    return this.#updateBuckets([bucket], unblockBucket)
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

  /** Reads the states of some buckets, updates each, and writes them back in one transaction. */
  #updateBuckets(
    buckets: readonly SharedBucket[],
    update: (state: BucketState, bucket: SharedBucket, now: number) => void,
  ): Promise<void> {
    const keys = buckets.map(({ key }) => key)
    return this.#records.update(keys, (found) => {
      const now = this.#clock.now()
      const entries = this.#read(buckets, found, now)
      for (const [bucket, state] of entries) update(state, bucket, now)
      return { records: written(entries, now), result: undefined }
    })
  }

  /** Decodes the stored states of some buckets. */
  #read(buckets: readonly SharedBucket[], found: readonly unknown[], now: number): Entry[] {
    return buckets.map((bucket, index) => [
      bucket,
      normalizeClock(toBucketState(found[index]), bucket, { now, isStep: this.#isStep(bucket.key, now) }),
    ])
  }

  /** Returns true if the wall clock jumped since this tab last accessed the record; the stored times are then outdated. */
  #isStep(key: string, now: number): boolean {
    const offset = now - this.#clock.elapsed()
    const before = this.#offsets.get(key) ?? this.#offset
    this.#offsets.set(key, offset)
    return Math.abs(offset - before) > CLOCK_STEP
  }
}

/** Deletes empty states. */
const written = (entries: readonly Entry[], now: number): (BucketState | undefined)[] =>
  entries.map(([, state]) => (isEmpty(state, now) ? undefined : state))

/** Ignores malformed fields, for example of another version. */
function toBucketState(value: unknown): BucketState {
  const state = emptyBucketState()
  if (!isRecord(value)) return state
  const { releasing, out, blockedUntil, isProbing, reservations } = value
  if (Array.isArray(releasing) && releasing.length % 2 === 0 && releasing.every(Number.isFinite))
    state.releasing = releasing.map(Number)
  if (typeof blockedUntil === 'number' && Number.isFinite(blockedUntil)) state.blockedUntil = blockedUntil
  if (Array.isArray(reservations)) state.reservations = reservations.filter(isReservation)
  return { ...state, out: toTimes(out), isProbing: isProbing === true }
}

function isReservation(value: unknown): value is BucketState['reservations'][number] {
  if (!isRecord(value)) return false
  const { party, slots, until } = value
  return typeof party === 'string' && typeof slots === 'number' && slots > 0 && typeof until === 'number'
}

function toTimes(value: unknown): Record<string, number> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, time]) => (typeof time === 'number' ? [[key, time] as const] : [])),
  )
}
