/** Limits how many streams a process opens in a second, and spreads the refused clients over the following seconds. */
import type { Clock } from '../../shared/foundation/clock'

/** ms by which streams may open ahead of the rate. */
const BURST = 250
/** Share of the rate that refused clients are spread to: the rest is for new ones, and for those that come back unevenly. */
const SHARE = 0.95
/** Longest delay in ms: `lobbyStream` waits no longer. After it, refused clients are spread over the same time again. */
const MAX_DELAY = 300_000
const SECOND = 1000

export class ConnectLimit {
  readonly #clock: Clock
  /** ms between two streams. */
  readonly #interval: number
  /** Epoch ms from which on the rate allows the next stream. */
  #freeAt = 0
  /** Epoch ms for which the last refused client was asked to come back. */
  #returnAt = 0

  /** @param rate streams in a second. */
  constructor(clock: Clock, rate: number) {
    this.#clock = clock
    this.#interval = SECOND / rate
  }

  /** Returns 0 if a stream may open now; else the number of seconds after which the client may try again: the n-th one after n / rate. */
  take(): number {
    const now = this.#clock.now()
    const freeAt = Math.max(now, this.#freeAt)
    if (freeAt - now > BURST) return this.#later(now)
    this.#freeAt = freeAt + this.#interval
    return 0
  }

  #later(now: number): number {
    const last = this.#returnAt - now > MAX_DELAY ? now : Math.max(now, this.#returnAt)
    this.#returnAt = last + this.#interval / SHARE
    return Math.min(Math.ceil((this.#returnAt - now) / SECOND), MAX_DELAY / SECOND)
  }
}
