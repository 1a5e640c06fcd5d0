/** Limits how often a player's page may have tokens replaced that last: it says that they were refused, which nobody can check. */
import type { Clock } from '../foundation/clock'
import { RateLimitError } from '../foundation/errors'
import { RequestBudget } from '../players/request-budget'

/** For one player in one process. */
const RULE = { burst: 5, interval: 30_000 }

export class RefusedTokens {
  readonly #clock: Clock
  readonly #budget: RequestBudget
  #sweepAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#budget = new RequestBudget(clock, RULE)
  }

  /** @throws RateLimitError `rate_limited` after too many in a row. */
  require(userId: string): void {
    const now = this.#clock.now()
    if (now >= this.#sweepAt) {
      this.#budget.sweep()
      this.#sweepAt = now + RULE.interval
    }
    if (this.#budget.take(userId)) return
    const { interval: retryAfter } = RULE
    throw new RateLimitError('rate_limited', { retryAfter, resetAt: now + retryAfter, bucket: 'refused_tokens', scope: 'user' })
  }
}
