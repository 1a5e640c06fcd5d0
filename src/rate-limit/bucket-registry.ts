/** The buckets in use. One that has rested for a whole window is forgotten. */
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { Bucket, type BucketSpec, LimitDefinition } from './bucket'
import { margin } from './shared/store'

/** ms after the store is back until every other party has found it, too. */
const MIN_SPLIT_TIME = 5000
/** ms for which nothing starts when the store goes away: what it has granted last is over, where the window is no longer. */
const QUIET_TIME = 1000

export class BucketRegistry {
  readonly #clock: MonotonicClock
  readonly #families = new Map<string, BucketFamily>()
  readonly #grown: (bucket: Bucket) => void
  /** Parts that a limit is divided into; 1 while a shared store keeps count for all. */
  #parts = 1
  /** From when on limits are whole again that had no use before. */
  #unitedAt = Number.NEGATIVE_INFINITY
  /** When nobody uses any more what the store had granted before it went away, windows of a second taken. */
  #calmAt = Number.NEGATIVE_INFINITY
  /** This party's own moment in a period, from 0 to 1. */
  readonly #place = Math.random()

  /** @param grown is told of each bucket that may be used up again, after its limit was divided. */
  constructor(clock: MonotonicClock, grown: (bucket: Bucket) => void) {
    this.#clock = clock
    this.#grown = grown
  }

  bucket(spec: BucketSpec): Bucket {
    let shelf = this.#families.get(spec.name)
    if (!shelf) {
      shelf = new BucketFamily(new LimitDefinition(spec), this.#clock)
      this.#begin(shelf)
      this.#families.set(spec.name, shelf)
    }
    const bucket = shelf.bucket(spec.key ?? '')
    if (this.#clock.elapsed() < this.#calmAt) bucket.hold(this.#calmOf(bucket))
    return bucket
  }

  /**
   * Without the store that counts for all, each party keeps to its part. When the store is back, a limit stays divided for one more
   * window: the store has not counted what the others did meanwhile.
   */
  splitAmong(parties: number, { isAway, wasThere }: { isAway: boolean; wasThere: boolean }): void {
    this.#parts = parties
    this.#unitedAt = isAway ? Number.POSITIVE_INFINITY : this.#clock.elapsed() + MIN_SPLIT_TIME
    if (isAway && wasThere) this.#calmAt = this.#clock.elapsed() + QUIET_TIME
    for (const shelf of this.#families.values()) {
      if (isAway) shelf.splitAmong(parties, this.#place)
      else shelf.restoreFullLimitLater(this.#grown)
    }
    if (isAway && wasThere) for (const bucket of this.buckets()) bucket.hold(this.#calmOf(bucket))
  }

  /** A limit that is used for the first time is divided like the others. */
  #begin(shelf: BucketFamily): void {
    if (this.#clock.elapsed() >= this.#unitedAt) return
    shelf.splitAmong(this.#parts, this.#place)
    if (this.#unitedAt < Number.POSITIVE_INFINITY) shelf.restoreFullLimitLater(this.#grown)
  }

  #calmOf({ family }: Bucket): number {
    return this.#calmAt - QUIET_TIME + Math.min(QUIET_TIME, family.full.per)
  }

  *buckets(): Iterable<Bucket> {
    for (const shelf of this.#families.values()) yield* shelf.buckets()
  }

  close(): void {
    for (const shelf of this.#families.values()) shelf.close()
    this.#families.clear()
  }
}

/** The buckets of one name. */
class BucketFamily {
  readonly family: LimitDefinition
  readonly #clock: MonotonicClock
  readonly #byKey = new Map<string, Bucket>()
  #cancel: (() => void) | undefined
  #cancelUnion: (() => void) | undefined

  constructor(family: LimitDefinition, clock: MonotonicClock) {
    this.family = family
    this.#clock = clock
  }

  bucket(key: string): Bucket {
    let bucket = this.#byKey.get(key)
    if (!bucket) {
      bucket = new Bucket(this.family, key)
      this.#byKey.set(key, bucket)
      if (!this.#cancel) this.#sweepAt(this.#clock.elapsed())
    }
    return bucket
  }

  buckets(): Iterable<Bucket> {
    return this.#byKey.values()
  }

  splitAmong(parties: number, place: number): void {
    this.#cancelUnion?.()
    this.family.splitAmong(parties, place)
  }

  restoreFullLimitLater(grown: (bucket: Bucket) => void): void {
    const { full } = this.family
    this.#cancelUnion = this.#clock.afterUnref(Math.max(MIN_SPLIT_TIME, full.per + margin(full.per)), () => {
      this.family.restoreFullLimit()
      for (const bucket of this.#byKey.values()) grown(bucket)
    })
  }

  close(): void {
    this.#cancel?.()
    this.#cancelUnion?.()
    this.#byKey.clear()
  }

  /** Looks when the first may have rested long enough, and no more than eight times in a window. */
  #sweepAt(first: number): void {
    const { per } = this.family.rule
    const delay = Math.max(first - this.#clock.elapsed(), per / 8, 10)
    this.#cancel = this.#clock.afterUnref(Math.ceil(delay), () => this.#sweep())
  }

  #sweep(): void {
    const now = this.#clock.elapsed()
    let next = Number.POSITIVE_INFINITY
    for (const [key, bucket] of this.#byKey) {
      if (bucket.isIdle(now)) this.#byKey.delete(key)
      else next = Math.min(next, bucket.inFlight > 0 ? now : Math.max(bucket.lastRelease, now))
    }
    this.#cancel = undefined
    if (this.#byKey.size > 0) this.#sweepAt(next)
  }
}
