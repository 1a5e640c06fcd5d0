/** Generates snowflakes: time in the high bits, a counter in the low bits, strictly increasing. */

const EPOCH = 1_420_070_400_000n

export class Snowflakes {
  #last: bigint

  /** @param last the largest id so far; new ids are larger. */
  constructor(last: bigint) {
    this.#last = last
  }

  next(now: number): string {
    const ofNow = (BigInt(Math.floor(now)) - EPOCH) << 22n
    this.#last = ofNow > this.#last ? ofNow : this.#last + 1n
    return String(this.#last)
  }
}
