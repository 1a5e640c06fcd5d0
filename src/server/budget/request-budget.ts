/** Limits how often each player may cause work. */
import type { Clock } from '../../shared/foundation/clock'

export interface BudgetRule {
  /** Requests that may follow each other immediately. */
  readonly burst: number
  /** ms for each further one. */
  readonly interval: number
}

/** Callers that are remembered, about 5 MB: a flood of new addresses must not fill the memory until the next sweep. */
const REMEMBERED = 50_000
const REQUESTS: BudgetRule = { burst: 30, interval: 500 }

export class RequestBudget {
  readonly #clock: Clock
  readonly #rule: BudgetRule
  /** Epoch ms at which each player's budget is full again, in the order of the last requests. */
  readonly #fullAt = new Map<string, number>()

  constructor(clock: Clock, rule = REQUESTS) {
    this.#clock = clock
    this.#rule = rule
  }

  /** Returns false if the player's budget is used up; then nothing is taken. */
  take(playerId: string, count = 1): boolean {
    const { burst, interval } = this.#rule
    const now = this.#clock.now()
    const fullAt = Math.max(now, this.#fullAt.get(playerId) ?? 0) + count * interval
    if (fullAt - now > burst * interval) return false
    this.#fullAt.delete(playerId)
    this.#fullAt.set(playerId, fullAt)
    const [oldest] = this.#fullAt.keys()
    if (this.#fullAt.size > REMEMBERED && oldest !== undefined) this.#fullAt.delete(oldest)
    return true
  }

  sweep(): void {
    for (const [id, fullAt] of this.#fullAt) if (fullAt <= this.#clock.now()) this.#fullAt.delete(id)
  }
}
