/** Counts refusals of this address and stops before the edge blocks it (S:337): first fewer at once, then none. */
import type { RateLimitInfo } from './response-headers'
import { blockFor, type Refusals } from './shared/store'

export interface CircuitBreakerRule {
  /** Refusals within `per` from which on fewer requests are in flight. */
  readonly soft: number
  /** Refusals within `per` at which nothing is sent any more. */
  readonly hard: number
  /** ms. */
  readonly per: number
}

/** Well below the 10,000 in 10 minutes at which an address is known to be blocked. */
const BREAKER: CircuitBreakerRule = { soft: 500, hard: 5000, per: 600_000 }

const PARTS = 60

export class CircuitBreaker {
  readonly #full: CircuitBreakerRule
  #rule: CircuitBreakerRule
  /** Refusals of all who share a budget, as the store last said. */
  #shared = { total: 0, until: Number.NEGATIVE_INFINITY }
  readonly #counts = new Map<number, number>()
  #total = 0
  #openUntil = Number.NEGATIVE_INFINITY
  /** Routes that the edge refuses, each with the end of that. */
  readonly #edge = new Map<string, number>()

  constructor(rule: CircuitBreakerRule = BREAKER) {
    this.#full = rule
    this.#rule = rule
  }

  /** Each answer once. A refusal that others caused (scope `shared`) does not count against an address. */
  count({ status, scope, isEdge, retryAfter = 0 }: RateLimitInfo, { now, route }: { now: number; route: string }): boolean {
    if ((status !== 429 && status !== 401 && status !== 403) || scope === 'shared') return false
    const part = Math.floor((now * PARTS) / this.#rule.per)
    this.#counts.set(part, (this.#counts.get(part) ?? 0) + 1)
    this.#total++
    if (isEdge) this.#countEdge(route, now, now + blockFor(retryAfter, 0))
    return true
  }

  /** Takes in what all who share a budget have counted together. */
  learn({ total, oldest }: Refusals, now: number): void {
    this.#shared = { total, until: now + oldest }
    if (total >= this.#full.hard) this.#openUntil = Math.max(this.#openUntil, now + oldest)
  }

  /** Without the store that counts for all, each party keeps to its part. */
  splitAmong(parties: number): void {
    const { soft, hard, per } = this.#full
    this.#rule = { soft: Math.max(1, soft / parties), hard: Math.max(1, hard / parties), per }
  }

  /** Forgets what the edge has refused. */
  trustEdge(): void {
    this.#edge.clear()
    this.#openUntil = Number.NEGATIVE_INFINITY
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
    const known = now < this.#shared.until ? this.#shared.total : 0
    if (Math.max(known, this.#total) < this.#rule.soft) return Number.POSITIVE_INFINITY
    this.#forget(now)
    const halvings = Math.floor(Math.max(known, this.#total) / this.#rule.soft)
    return halvings === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(usual / 2 ** halvings))
  }

  /** One route may have a proxy of its own; where the edge refuses a second one, it is the address that is blocked. */
  #countEdge(route: string, now: number, until: number): void {
    for (const [other, end] of this.#edge) if (end <= now) this.#edge.delete(other)
    this.#edge.set(route, Math.max(until, this.#edge.get(route) ?? until))
    if (this.#edge.size > 1) this.#openUntil = Math.max(this.#openUntil, ...this.#edge.values())
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
