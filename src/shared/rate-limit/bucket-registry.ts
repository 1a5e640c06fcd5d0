/** Registry of the buckets in use. A bucket is deleted after it was idle for a whole window. */
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { Bucket, type BucketSpec, LimitDefinition } from './bucket'
import { margin } from './store-port'

/** ms after which every other party has noticed that the store is back. */
const MIN_SPLIT_TIME = 5000
/** ms for which nothing starts after the store went away, so that permits it granted last have expired (for windows up to this length). */
const QUIET_TIME = 1000

export class BucketRegistry {
  readonly #clock: MonotonicClock
  readonly #families = new Map<string, BucketFamily>()
  readonly #onLimitRaised: (bucket: Bucket) => void
  /** Number of parts that each limit is divided into; 1 while a shared store counts for all. */
  #parts = 1
  /** From this moment, limits that are used for the first time are not divided. */
  #undividedFrom = Number.NEGATIVE_INFINITY
  /** From this moment, permits that the store granted before it went away are no longer in use (for windows of one second). */
  #quietUntil = Number.NEGATIVE_INFINITY
  /** Random phase of this party within a period, from 0 to 1. */
  readonly #phase = Math.random()

  /** @param onLimitRaised called with each bucket whose divided limit is whole again. */
  constructor(clock: MonotonicClock, onLimitRaised: (bucket: Bucket) => void) {
    this.#clock = clock
    this.#onLimitRaised = onLimitRaised
  }

  bucket(spec: BucketSpec, now = this.#clock.elapsed()): Bucket {
    let bucketFamily = this.#families.get(spec.name)
    if (!bucketFamily) {
      bucketFamily = new BucketFamily(new LimitDefinition(spec), this.#clock)
      this.#divideIfNeeded(bucketFamily)
      this.#families.set(spec.name, bucketFamily)
    }
    const bucket = bucketFamily.bucket(spec.key ?? '')
    if (now < this.#quietUntil) bucket.hold(this.#quietUntilFor(bucket))
    return bucket
  }

  /**
   * Divides every limit among the parties while the store that counts for all is unavailable. After it is back, a limit stays divided for
   * one more window, since the store has not counted the requests sent meanwhile.
   */
  splitAmong(parties: number, { isAway, hasResponded }: { isAway: boolean; hasResponded?: boolean }): void {
    this.#parts = parties
    this.#undividedFrom = isAway ? Number.POSITIVE_INFINITY : this.#clock.elapsed() + MIN_SPLIT_TIME
    if (hasResponded) this.#quietUntil = this.#clock.elapsed() + QUIET_TIME
    for (const bucketFamily of this.#families.values()) {
      if (isAway) bucketFamily.splitAmong(parties, this.#phase)
      else bucketFamily.restoreFullLimitLater(this.#onLimitRaised)
    }
    if (hasResponded) for (const bucket of this.buckets()) bucket.hold(this.#quietUntilFor(bucket))
  }

  /** Divides a limit that is used for the first time like the others. */
  #divideIfNeeded(bucketFamily: BucketFamily): void {
    if (this.#clock.elapsed() >= this.#undividedFrom) return
    bucketFamily.splitAmong(this.#parts, this.#phase)
    if (this.#undividedFrom < Number.POSITIVE_INFINITY)
      bucketFamily.restoreFullLimitLater(this.#onLimitRaised)
  }

  #quietUntilFor({ definition }: Bucket): number {
    return this.#quietUntil - QUIET_TIME + Math.min(QUIET_TIME, definition.full.per)
  }

  *buckets(): Iterable<Bucket> {
    for (const bucketFamily of this.#families.values()) yield* bucketFamily.buckets()
  }

  close(): void {
    for (const bucketFamily of this.#families.values()) bucketFamily.close()
    this.#families.clear()
  }
}

/** All buckets with the same name. */
class BucketFamily {
  readonly definition: LimitDefinition
  readonly #clock: MonotonicClock
  readonly #byKey = new Map<string, Bucket>()
  #cancelSweep: (() => void) | undefined
  #cancelRestore: (() => void) | undefined

  constructor(definition: LimitDefinition, clock: MonotonicClock) {
    this.definition = definition
    this.#clock = clock
  }

  bucket(key: string): Bucket {
    let bucket = this.#byKey.get(key)
    if (!bucket) {
      bucket = new Bucket(this.definition, key)
      this.#byKey.set(key, bucket)
      if (!this.#cancelSweep) this.#sweepAt(this.#clock.elapsed())
    }
    return bucket
  }

  buckets(): Iterable<Bucket> {
    return this.#byKey.values()
  }

  splitAmong(parties: number, phase: number): void {
    this.#cancelRestore?.()
    this.definition.splitAmong(parties, phase)
  }

  restoreFullLimitLater(onLimitRaised: (bucket: Bucket) => void): void {
    const { full } = this.definition
    this.#cancelRestore = this.#clock.afterUnref(
      Math.max(MIN_SPLIT_TIME, full.per + margin(full.per)),
      () => {
        this.definition.restoreFullLimit()
        for (const bucket of this.#byKey.values()) onLimitRaised(bucket)
      },
    )
  }

  close(): void {
    this.#cancelSweep?.()
    this.#cancelRestore?.()
    this.#byKey.clear()
  }

  /** Schedules a sweep for when the first bucket can be idle, at most eight times per window. */
  #sweepAt(first: number): void {
    const { per } = this.definition.rule
    const delay = Math.max(first - this.#clock.elapsed(), per / 8, 10)
    this.#cancelSweep = this.#clock.afterUnref(Math.ceil(delay), () => this.#sweep())
  }

  #sweep(): void {
    const now = this.#clock.elapsed()
    let next = Number.POSITIVE_INFINITY
    for (const [key, bucket] of this.#byKey) {
      if (bucket.isIdle(now)) this.#byKey.delete(key)
      else next = Math.min(next, Math.max(bucket.lastRelease, now))
    }
    this.#cancelSweep = undefined
    if (this.#byKey.size > 0) this.#sweepAt(next)
  }
}
