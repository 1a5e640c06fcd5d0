/** Requests that ask a shared budget together, and what it has given them. */
import type { Bucket } from './bucket'
import { LaneQueue } from './lanes'

/** A slot of the store's. */
export interface Credit {
  readonly name: string
  /** Monotonic ms. */
  readonly askedAt: number
}

/** Requests for the same buckets: they ask together. */
export class Group {
  readonly queue = new LaneQueue<Bucket>()
  readonly buckets: readonly Bucket[]
  /** Slots that the store has given and nobody has taken yet. */
  readonly credits: Credit[] = []
  isAsking = false
  /** What the store has said of the future: counts once the credits are used up. */
  #hold: { bucket: Bucket; until: number } | undefined

  constructor(buckets: readonly Bucket[]) {
    this.buckets = buckets
  }

  /** The store has nothing of this bucket before `until`. */
  postpone(bucket: Bucket, until: number): void {
    this.#hold = { bucket, until }
  }

  /** From now on nobody tries in vain. */
  hold(): void {
    if (this.#hold) this.#hold.bucket.more.heldUntil = this.#hold.until
    this.#hold = undefined
  }

  /** How many may usefully be asked for, of a budget that `parties` share. */
  want(parties: number, now: number): number {
    let want = 0
    for (const lane of this.queue.lanes()) want += lane.length
    for (const bucket of this.buckets) {
      want = Math.min(want, bucket.available(now), Math.ceil(bucket.family.full.limit / parties))
    }
    return want
  }
}
