/** The time that an emulator lives in: the machine's, until somebody moves it forward. */
import { EmulatorError } from './error.js'

interface Kept {
  /** How far ahead of the machine, in milliseconds. */
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

  /** Epoch seconds, as tokens count them. */
  seconds(): number {
    return Math.floor(Date.now() / 1000) + this.aheadSeconds
  }

  /** Whole seconds: the same between two moves, whatever the fraction of the second is. */
  get aheadSeconds(): number {
    return Math.floor(this.#ahead / 1000)
  }

  /** @throws EmulatorError `bad_request` */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new EmulatorError('bad_request', 'The clock goes forward only, by a number of milliseconds.')
    this.#set(this.#ahead + ms)
  }

  /** Back to the time of the machine. */
  reset(): void {
    this.#set(0)
  }

  #set(ahead: number): void {
    this.#ahead = ahead
    this.#keep(ahead)
  }
}
