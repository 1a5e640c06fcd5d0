/** The right to send one request now. It ends once, in one of three ways. */
import type { Bucket } from './bucket'
import type { RateLimitInfo } from './response-headers'

/** How a request ended: answered, perhaps with news; without an answer, though it may have been counted; or never sent. */
export type Outcome = { readonly kind: 'answered'; readonly news: RateLimitInfo } | { readonly kind: 'lost' } | { readonly kind: 'unused' }

export type OnSettled = (permit: Permit, ending: Outcome) => void

const LOST: Outcome = { kind: 'lost' }
const UNUSED: Outcome = { kind: 'unused' }

export class Permit {
  readonly buckets: readonly Bucket[]
  /** Of the request's first attempt: which place is its own. */
  readonly sequence: number
  /** Monotonic ms. */
  readonly sentAt: number
  /** Its name in the shared store. */
  storeLease: string | undefined
  /** Monotonic ms: the shared store has granted it no earlier. */
  heldSince: number
  #end: OnSettled | undefined

  constructor({ buckets, sequence, sentAt }: Pick<Permit, 'buckets' | 'sequence' | 'sentAt'>, end: OnSettled) {
    this.buckets = buckets
    this.sequence = sequence
    this.sentAt = sentAt
    this.heldSince = sentAt
    this.#end = end
  }

  /** The answer has come, whatever it says. */
  answered(news: RateLimitInfo): void {
    this.#finish({ kind: 'answered', news })
  }

  /** No answer will come, and nobody knows whether the service counted the request. */
  lost(): void {
    this.#finish(LOST)
  }

  /** The request never left: its slots are free at once. */
  unused(): void {
    this.#finish(UNUSED)
  }

  #finish(ending: Outcome): void {
    const end = this.#end
    this.#end = undefined
    end?.(this, ending)
  }
}
