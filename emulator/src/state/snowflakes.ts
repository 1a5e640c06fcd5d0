/** Makes ids as the service does: time in the high bits, a counter in the low ones, each larger than the one before. */

const epoch = 1_420_070_400_000n

export class Snowflakes {
  #last: bigint

  /** Goes on after the largest id that was ever given. */
  constructor(last: bigint) {
    this.#last = last
  }

  next(now: number): string {
    const ofNow = (BigInt(Math.floor(now)) - epoch) << 22n
    this.#last = ofNow > this.#last ? ofNow : this.#last + 1n
    return String(this.#last)
  }
}
