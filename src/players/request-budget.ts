/** Limits how often each player may cause work. */
import type { Clock } from '../foundation/clock'

/** Requests that may follow each other immediately, and ms for each further one. */
const BURST = 30
const INTERVAL = 500

export class RequestBudget {
  readonly #clock: Clock
  /** Epoch ms at which each player's budget is full again. */
  readonly #fullAt = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns false if the player's budget is used up; then nothing is taken. */
  take(playerId: string, count = 1): boolean {
    const now = this.#clock.now()
    const fullAt = Math.max(now, this.#fullAt.get(playerId) ?? 0) + count * INTERVAL
    if (fullAt - now > BURST * INTERVAL) return false
    this.#fullAt.set(playerId, fullAt)
    return true
  }

  sweep(): void {
    for (const [id, fullAt] of this.#fullAt) if (fullAt <= this.#clock.now()) this.#fullAt.delete(id)
  }
}
