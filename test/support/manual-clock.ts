/** Clock that stands still until a test advances it. */
import type { Clock } from 'foyer-sdk'

export class ManualClock implements Clock {
  #now: number
  /** Time of the earliest timer that was added since `advance` collected those that are due. */
  #earliestAdded = Number.POSITIVE_INFINITY
  readonly #timers = new Set<{ at: number; callback: () => void }>()

  constructor(now: number = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  /** Number of pending timers. */
  get waiting(): number {
    return this.#timers.size
  }

  after(delay: number, callback: () => void): () => void {
    const timer = { at: this.#now + delay, callback }
    this.#timers.add(timer)
    this.#earliestAdded = Math.min(this.#earliestAdded, timer.at)
    return () => this.#timers.delete(timer)
  }

  /** Advances the time and runs due timers in order. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (due.length === 0) break
      this.#earliestAdded = Number.POSITIVE_INFINITY
      for (const timer of due) {
        // One that was added meanwhile comes first.
        if (this.#earliestAdded < timer.at) break
        if (!this.#timers.delete(timer)) continue
        this.#now = timer.at
        timer.callback()
      }
    }
    this.#now = end
  }

  /** Jumps ahead, as on a machine that wakes from sleep: due timers run at once, and new timers start from the new time. */
  sleep(ms: number): void {
    this.#now += ms
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    for (const timer of due) if (this.#timers.delete(timer)) timer.callback()
  }
}
