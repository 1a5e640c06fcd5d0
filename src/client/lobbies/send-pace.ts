/** The pace of a player's messages: one that uses up the limit within minutes is that of a game's moves, which need a way of their own. */

/** More than ten a second, for five seconds: 3,000 in two hours (docs/interface/rate-limits.md#limits) would be used up in five minutes. */
const MESSAGES = 50
const WITHIN = 5000

/** True if more messages were sent so fast than a chat does. @param sent Times of the last ones in ms, the oldest first. */
const isFlood = (sent: readonly number[], now: number): boolean =>
  sent.length > MESSAGES && now - Number(sent[0]) < WITHIN

/** Remembers when messages were sent. */
export class SendPace {
  readonly #sent: number[] = []
  #isTold = false

  /** Counts a message. Returns true once, at the first that is one too many. */
  isTooFast(now: number): boolean {
    if (this.#isTold) return false
    this.#sent.push(now)
    if (this.#sent.length > MESSAGES + 1) this.#sent.shift()
    this.#isTold = isFlood(this.#sent, now)
    return this.#isTold
  }
}
