/** A clock that stands still until a test moves it. */
import type { Clock } from 'foyer-sdk'

export class ManualClock implements Clock {
  #now: number
  readonly #timers = new Set<{ at: number; callback: () => void }>()

  constructor(now: number = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size
  }

  after(delay: number, callback: () => void): () => void {
    const timer = { at: this.#now + delay, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#timers.delete(next)
      this.#now = next.at
      next.callback()
    }
    this.#now = end
  }

  /** Wakes so much later, as a machine that slept: what is due runs at once, and what that asks for counts from now. */
  sleep(ms: number): void {
    this.#now += ms
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    for (const timer of due) if (this.#timers.delete(timer)) timer.callback()
  }
}
