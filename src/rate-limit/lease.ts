/** The right to send one request now. It ends once, in one of three ways. */
import type { Bucket } from './bucket'
import type { News } from './headers'

/** How a request ended: answered, perhaps with news; without an answer, though it may have been counted; or never sent. */
export type Ending = { readonly kind: 'answered'; readonly news: News } | { readonly kind: 'lost' } | { readonly kind: 'unused' }

export type End = (lease: Lease, ending: Ending) => void

const LOST: Ending = { kind: 'lost' }
const UNUSED: Ending = { kind: 'unused' }

export class Lease {
  readonly buckets: readonly Bucket[]
  /** Of the request's first attempt: which place is its own. */
  readonly ticket: number
  /** Monotonic ms. */
  readonly sentAt: number
  /** Its name in the shared store. */
  credit: string | undefined
  /** Monotonic ms: the shared store has granted it no earlier. */
  heldSince: number
  #end: End | undefined

  constructor({ buckets, ticket, sentAt }: Pick<Lease, 'buckets' | 'ticket' | 'sentAt'>, end: End) {
    this.buckets = buckets
    this.ticket = ticket
    this.sentAt = sentAt
    this.heldSince = sentAt
    this.#end = end
  }

  /** The answer has come, whatever it says. */
  answered(news: News): void {
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

  #finish(ending: Ending): void {
    const end = this.#end
    this.#end = undefined
    end?.(this, ending)
  }
}
