/** The one door to time: what the hour is, and what happens later. */

/** A source of time. Games never need their own; tests do. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Runs `callback` once after `delay` ms. The result undoes it. */
  after(delay: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  },
}
