/** Limits how often each player's page may cause work in one process. */
import type { Clock } from '../../shared/foundation/clock'
import { RateLimitError } from '../../shared/foundation/errors'
import { type BudgetRule, RequestBudget } from '../players/request-budget'

/** ms between two removals of full budgets. */
const SWEEP = 60_000

export interface PlayerBudgetRule extends BudgetRule {
  /** Name in errors. */
  readonly name: string
}

export class PlayerBudget {
  readonly #clock: Clock
  readonly #rule: PlayerBudgetRule
  readonly #budget: RequestBudget
  #sweepAt = 0

  constructor(clock: Clock, rule: PlayerBudgetRule) {
    this.#clock = clock
    this.#rule = rule
    this.#budget = new RequestBudget(clock, rule)
  }

  /** @throws RateLimitError `rate_limited` after too many in a row. */
  require(userId: string): void {
    const now = this.#clock.now()
    if (now >= this.#sweepAt) {
      this.#budget.sweep()
      this.#sweepAt = now + SWEEP
    }
    if (this.#budget.take(userId)) return
    const { interval: retryAfter, name: bucket } = this.#rule
    throw new RateLimitError('rate_limited', { retryAfter, resetAt: now + retryAfter, bucket, scope: 'user' })
  }
}
