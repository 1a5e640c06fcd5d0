/** Counts refusals of this address and stops before the edge blocks it (S:337): first fewer at once, then none. */
import type { News } from './headers'

export interface BreakerRule {
  /** Refusals within `per` from which on fewer requests are in flight. */
  readonly soft: number
  /** Refusals within `per` at which nothing is sent any more. */
  readonly hard: number
  /** ms. */
  readonly per: number
}

/** Well below the 10,000 in 10 minutes at which an address is known to be blocked. */
const BREAKER: BreakerRule = { soft: 500, hard: 5000, per: 600_000 }

const PARTS = 60

export class Breaker {
  readonly #rule: BreakerRule
  readonly #counts = new Map<number, number>()
  #total = 0
  #openUntil = Number.NEGATIVE_INFINITY

  constructor(rule: BreakerRule = BREAKER) {
    this.#rule = rule
  }

  /** Each answer once. A refusal that others caused (scope `shared`) does not count against an address. */
  count({ status, scope, isEdge, retryAfter = 0 }: News, now: number): void {
    if (status !== 429 && status !== 401 && status !== 403) return
    if (scope === 'shared') return
    const part = Math.floor((now * PARTS) / this.#rule.per)
    this.#counts.set(part, (this.#counts.get(part) ?? 0) + 1)
    this.#total++
    if (isEdge) this.#openUntil = Math.max(this.#openUntil, now + retryAfter)
  }

  /** Until when nothing is sent; a time gone by when it is closed. */
  openUntil(now: number): number {
    if (this.#total === 0) return this.#openUntil
    this.#forget(now)
    const [oldest] = this.#counts.keys()
    if (this.#total < this.#rule.hard || oldest === undefined) return this.#openUntil
    return Math.max(this.#openUntil, ((oldest + PARTS + 1) * this.#rule.per) / PARTS)
  }

  /** Requests at once, of `usual`: half for each soft budget that is used up. */
  cap(usual: number, now: number): number {
    if (this.#total < this.#rule.soft) return Number.POSITIVE_INFINITY
    this.#forget(now)
    const halvings = Math.floor(this.#total / this.#rule.soft)
    return halvings === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(usual / 2 ** halvings))
  }

  #forget(now: number): void {
    const first = Math.floor((now * PARTS) / this.#rule.per) - PARTS
    for (const [part, count] of this.#counts) {
      if (part >= first) return
      this.#counts.delete(part)
      this.#total -= count
    }
  }
}
