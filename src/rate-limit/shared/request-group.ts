/** Requests that ask a shared budget together, and what it has given them. */
import type { Bucket } from '../bucket'
import { FairQueue } from '../fair-queue'

/** A slot of the store's. */
export interface StoreLease {
  readonly name: string
  /** Monotonic ms. */
  readonly askedAt: number
}

/** Requests for the same buckets: they ask together. */
export class RequestGroup {
  readonly queue = new FairQueue<Bucket>()
  readonly buckets: readonly Bucket[]
  /** Slots that the store has given and nobody has taken yet. */
  readonly storeLeases: StoreLease[] = []
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
    if (this.#hold) this.#hold.bucket.more.storeBlockedUntil = this.#hold.until
    this.#hold = undefined
  }

  /** How many may usefully be asked for, of a budget that `parties` share. */
  demand(parties: number, now: number): number {
    let demand = 0
    for (const queue of this.queue.lanes()) demand += queue.length
    for (const bucket of this.buckets) {
      demand = Math.min(demand, bucket.available(now), Math.ceil(bucket.family.full.limit / parties))
    }
    return demand
  }
}
