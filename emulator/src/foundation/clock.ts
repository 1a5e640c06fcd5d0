/** Clock of an emulator: the machine's time, plus an offset that tests set. */
import { EmulatorError } from './emulator-error.js'

interface Kept {
  /** Offset from the machine's time, in milliseconds. */
  ahead: number
  keep: (ahead: number) => void
}

export class Clock {
  #ahead: number
  readonly #keep: Kept['keep']

  constructor({ ahead, keep }: Kept = { ahead: 0, keep: () => undefined }) {
    this.#ahead = ahead
    this.#keep = keep
  }

  /** Epoch milliseconds. */
  now(): number {
    return Date.now() + this.#ahead
  }

  /** Epoch seconds, the unit of tokens. */
  seconds(): number {
    return Math.floor(Date.now() / 1000) + this.aheadSeconds
  }

  /** Offset in whole seconds: constant between two changes, regardless of fractions. */
  get aheadSeconds(): number {
    return Math.floor(this.#ahead / 1000)
  }

  /** @throws EmulatorError `bad_request` */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new EmulatorError('bad_request', 'The clock goes forward only, by a number of milliseconds.')
    this.#set(this.#ahead + ms)
  }

  /** Returns to the machine's time. */
  reset(): void {
    this.#set(0)
  }

  #set(ahead: number): void {
    this.#ahead = ahead
    this.#keep(ahead)
  }
}
