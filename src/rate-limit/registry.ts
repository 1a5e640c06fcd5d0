/** The buckets in use. One that has rested for a whole window is forgotten. */
import type { SteadyClock } from '../foundation/steady-clock'
import { Bucket, type BucketSpec, Family } from './bucket'
import { margin } from './store'
import { fairPart } from './window'

export class Registry {
  readonly #clock: SteadyClock
  readonly #families = new Map<string, Shelf>()
  readonly #grown: (bucket: Bucket) => void
  /** Parts that a limit is divided into; 1 while a shared store keeps count for all. */
  #parts = 1

  /** @param grown is told of each bucket that may be used up again, after its limit was divided. */
  constructor(clock: SteadyClock, grown: (bucket: Bucket) => void) {
    this.#clock = clock
    this.#grown = grown
  }

  bucket(spec: BucketSpec): Bucket {
    let shelf = this.#families.get(spec.name)
    if (!shelf) {
      shelf = new Shelf(new Family(spec, this.#parts), this.#clock)
      this.#families.set(spec.name, shelf)
    }
    return shelf.bucket(spec.key ?? '')
  }

  /**
   * Without the store that counts for all, each party keeps to its part. When the store is back, a limit stays divided for one more
   * window: the store has not counted what the others did meanwhile.
   */
  divide(parties: number, { isAway }: { isAway: boolean }): void {
    this.#parts = isAway ? parties : 1
    for (const shelf of this.#families.values()) {
      if (isAway) shelf.divide(parties)
      else shelf.uniteSoon(this.#grown)
    }
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
class Shelf {
  readonly family: Family
  readonly #clock: SteadyClock
  readonly #byKey = new Map<string, Bucket>()
  #cancel: (() => void) | undefined
  #cancelUnion: (() => void) | undefined

  constructor(family: Family, clock: SteadyClock) {
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

  divide(parties: number): void {
    this.#cancelUnion?.()
    this.family.rule = fairPart(this.family.full, parties)
  }

  uniteSoon(grown: (bucket: Bucket) => void): void {
    const { full } = this.family
    this.#cancelUnion = this.#clock.idle(full.per + margin(full.per), () => {
      this.family.rule = full
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
    this.#cancel = this.#clock.idle(Math.ceil(delay), () => this.#sweep())
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
