/** Access to time: the current time, and timers. */
/** A source of time. Games never need their own; tests do. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Runs `callback` once after `delay` ms. Returns a function that cancels it. */
  after(delay: number, callback: () => void): () => void
}

/** Longest delay of a platform timer, in ms (nearly 25 days). A longer one would fire at once. */
export const MAX_TIMER_DELAY = 2 ** 31 - 1

/** The platform's clock. Its timers fire after 25 days at the latest: callers that wait longer must check the time again. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, Math.min(delay, MAX_TIMER_DELAY))
    return () => clearTimeout(timer)
  },
}
