/** Groups requests for the same buckets, which request leases from a shared store together. */
import type { Bucket } from './bucket'
import { FairQueue } from './fair-queue'

/** A lease granted by the store. */
export interface StoreLease {
  readonly name: string
  /** Monotonic ms. */
  readonly sentAt: number
}

/** Requests for the same buckets. */
export class RequestGroup {
  readonly queue = new FairQueue<Bucket>()
  readonly buckets: readonly Bucket[]
  /** Leases that the store has granted and no request has taken yet. */
  readonly storeLeases: StoreLease[] = []
  isPending = false
  /** Block that the store announced; it takes effect once the leases are used up. */
  #pendingBlock: { bucket: Bucket; until: number } | undefined

  constructor(buckets: readonly Bucket[]) {
    this.buckets = buckets
  }

  /** Records that the store grants nothing for this bucket before `until`. */
  postpone(bucket: Bucket, until: number): void {
    this.#pendingBlock = { bucket, until }
  }

  /** Applies the recorded block. */
  applyBlock(): void {
    if (this.#pendingBlock) this.#pendingBlock.bucket.slowPath.storeBlockedUntil = this.#pendingBlock.until
    this.#pendingBlock = undefined
  }

  /** Number of leases worth requesting, given the number of parties. */
  demand(parties: number, now: number): number {
    let demand = 0
    for (const queue of this.queue.queues()) demand += queue.length
    for (const bucket of this.buckets) {
      demand = Math.min(demand, bucket.available(now), Math.ceil(bucket.definition.full.limit / parties))
    }
    return demand
  }
}
