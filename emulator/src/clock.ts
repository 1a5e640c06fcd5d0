/** The time that an emulator lives in: the machine's, until a test moves it forward. */
export class Clock {
  #ahead = 0

  /** Epoch milliseconds. */
  now(): number {
    return Date.now() + this.#ahead
  }

  advance(ms: number): void {
    this.#ahead += ms
  }
}
