/** Virtual time that advances from event to event and settles all promises in between. */
import type { Clock } from 'foyer-sdk'

interface Timer {
  readonly at: number
  readonly order: number
  readonly callback: () => void
}

export class VirtualClock implements Clock {
  /** ms since the start, in real time of the simulation. */
  time = 0
  /** Offset of `now`. */
  offset = 0
  readonly #rate: number
  readonly #timers: Timer[] = []
  #order = 0

  /** `rate`: speed of the limiter’s clock relative to the simulation. */
  constructor(rate = 1) {
    this.#rate = rate
  }

  now(): number {
    return this.time * this.#rate + this.offset
  }

  /** Pending timers. */
  get waiting(): number {
    return this.#timers.length
  }

  /** True if a timer is due within `ms`. */
  isDueWithin(ms: number): boolean {
    return this.#timers.some(({ at }) => at <= this.time + ms)
  }

  after(delay: number, callback: () => void): () => void {
    return this.at(this.time + delay / this.#rate, callback)
  }

  /** Runs `callback` at a time of the simulation. */
  at(at: number, callback: () => void): () => void {
    const timer = { at, order: this.#order++, callback }
    this.#timers.push(timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }

  /** Advances to `end`; everything due until then runs in order. */
  async run(end: number): Promise<void> {
    await settled()
    for (;;) {
      let first: Timer | undefined
      for (const timer of this.#timers) {
        if (
          timer.at <= end &&
          (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        )
          first = timer
      }
      if (!first) break
      this.#timers.splice(this.#timers.indexOf(first), 1)
      this.time = Math.max(this.time, first.at)
      first.callback()
      await settled()
    }
    this.time = Math.max(this.time, end)
  }
}

/** Resolves after every promise that can settle has settled. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
