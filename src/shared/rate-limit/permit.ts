/** Permission to send one request. It is settled once, in one of three ways. */
import type { Bucket } from './bucket'
import type { RateLimitInfo } from './rate-limit-info'

/** Outcome of a request: answered; lost, so that it may have been counted or not; or never sent. */
export type Outcome =
  | { readonly kind: 'answered'; readonly info: RateLimitInfo }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unused' }

export type OnSettled = (permit: Permit, outcome: Outcome) => void

const LOST: Outcome = { kind: 'lost' }
const UNUSED: Outcome = { kind: 'unused' }

export class Permit {
  readonly buckets: readonly Bucket[]
  /** Sequence number of the request's first attempt, which determines its position in the queue. */
  readonly sequence: number
  /** Monotonic ms. */
  readonly sentAt: number
  /** Name of the lease in the shared store. */
  storeLease: string | undefined
  /** Monotonic ms of the request for the lease: the store granted it no earlier. */
  heldSince: number
  #onSettled: OnSettled | undefined

  constructor(
    { buckets, sequence, sentAt }: Pick<Permit, 'buckets' | 'sequence' | 'sentAt'>,
    onSettled: OnSettled,
  ) {
    this.buckets = buckets
    this.sequence = sequence
    this.sentAt = sentAt
    this.heldSince = sentAt
    this.#onSettled = onSettled
  }

  /** A response has arrived, whatever its status. */
  answered(info: RateLimitInfo): void {
    this.#finish({ kind: 'answered', info })
  }

  /** No response will arrive, and the service may or may not have counted the request. */
  lost(): void {
    this.#finish(LOST)
  }

  /** The request was never sent: its slots are free at once. */
  unused(): void {
    this.#finish(UNUSED)
  }

  #finish(outcome: Outcome): void {
    const onSettled = this.#onSettled
    this.#onSettled = undefined
    onSettled?.(this, outcome)
  }
}
