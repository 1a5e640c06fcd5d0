/** Circuit breaker: counts error responses for this IP address, and slows down, then stops, before the edge blocks it (docs/interface/rate-limits.md#blocked-addresses). */
import type { RateLimitInfo } from './rate-limit-info'
import { blockFor, type Refusals } from './store-port'

export interface CircuitBreakerRule {
  /** Refusals within `per` from which concurrency is reduced. */
  readonly soft: number
  /** Refusals within `per` at which nothing is sent any more. */
  readonly hard: number
  /** ms. */
  readonly per: number
}

/** Well below the 10,000 refusals in 10 minutes after which an address is blocked. */
const BREAKER: CircuitBreakerRule = { soft: 500, hard: 5000, per: 600_000 }

const PARTS = 60

export class CircuitBreaker {
  readonly #full: CircuitBreakerRule
  #rule: CircuitBreakerRule
  /** Refusals of all parties that share the store, as last reported. */
  #sharedRefusals = { total: 0, until: Number.NEGATIVE_INFINITY }
  readonly #counts = new Map<number, number>()
  #total = 0
  #openUntil = Number.NEGATIVE_INFINITY
  /** Routes that the edge rejects, with the end of each block. */
  readonly #edgeBlocks = new Map<string, number>()

  constructor(rule: CircuitBreakerRule = BREAKER) {
    this.#full = rule
    this.#rule = rule
  }

  /** Counts a response; returns false for one that does not count. A 429 with scope `shared`, which others caused, does not count. */
  count(
    { status, scope, isEdge, retryAfter = 0 }: RateLimitInfo,
    { now, route }: { now: number; route: string },
  ): boolean {
    if ((status !== 429 && status !== 401 && status !== 403) || scope === 'shared') return false
    const part = Math.floor((now * PARTS) / this.#rule.per)
    this.#counts.set(part, (this.#counts.get(part) ?? 0) + 1)
    this.#total++
    if (isEdge) this.#countEdge(route, now, now + blockFor(retryAfter, 0))
    return true
  }

  /** Updates the number of refusals of all parties that share the store. */
  updateShared({ total, oldest }: Refusals, now: number): void {
    this.#sharedRefusals = { total, until: now + oldest }
    if (total >= this.#full.hard) this.#openUntil = Math.max(this.#openUntil, now + oldest)
  }

  /** Divides the thresholds among the parties while the shared store is unavailable. */
  splitAmong(parties: number): void {
    const { soft, hard, per } = this.#full
    this.#rule = { soft: Math.max(1, soft / parties), hard: Math.max(1, hard / parties), per }
  }

  /** Removes the blocks by the edge. */
  clearEdge(): void {
    this.#edgeBlocks.clear()
    this.#openUntil = Number.NEGATIVE_INFINITY
  }

  /** Time until which nothing is sent; in the past while the breaker is closed. */
  openUntil(now: number): number {
    if (this.#total === 0) return this.#openUntil
    this.#dropExpired(now)
    const [oldest] = this.#counts.keys()
    if (this.#total < this.#rule.hard || oldest === undefined) return this.#openUntil
    return Math.max(this.#openUntil, ((oldest + PARTS + 1) * this.#rule.per) / PARTS)
  }

  /** Maximum number of concurrent requests, derived from `usualConcurrency`: halved each time the soft threshold is reached. */
  cap(usualConcurrency: number, now: number): number {
    const sharedTotal = now < this.#sharedRefusals.until ? this.#sharedRefusals.total : 0
    if (Math.max(sharedTotal, this.#total) < this.#rule.soft) return Number.POSITIVE_INFINITY
    this.#dropExpired(now)
    const halvings = Math.floor(Math.max(sharedTotal, this.#total) / this.#rule.soft)
    return halvings === 0
      ? Number.POSITIVE_INFINITY
      : Math.max(1, Math.floor(usualConcurrency / 2 ** halvings))
  }

  /** A single route may be behind a proxy of its own; rejections on a second route mean that the address is blocked. */
  #countEdge(route: string, now: number, until: number): void {
    for (const [other, end] of this.#edgeBlocks) if (end <= now) this.#edgeBlocks.delete(other)
    this.#edgeBlocks.set(route, Math.max(until, this.#edgeBlocks.get(route) ?? until))
    if (this.#edgeBlocks.size > 1) this.#openUntil = Math.max(this.#openUntil, ...this.#edgeBlocks.values())
  }

  #dropExpired(now: number): void {
    const first = Math.floor((now * PARTS) / this.#rule.per) - PARTS
    for (const [part, count] of this.#counts) {
      if (part >= first) return
      this.#counts.delete(part)
      this.#total -= count
    }
  }
}
