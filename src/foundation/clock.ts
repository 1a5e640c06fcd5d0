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

/** `after` for housekeeping: it does not keep a process alive. A game's own clock is taken at its word. */
export function afterIdle(clock: Clock, delay: number, callback: () => void): () => void {
  if (clock !== systemClock) return clock.after(delay, callback)
  const timer: unknown = setTimeout(callback, delay)
  if (isUnrefable(timer)) timer.unref()
  return () => clearTimeout(Number(timer))
}

const isUnrefable = (timer: unknown): timer is { unref(): void } => typeof timer === 'object' && timer !== null && 'unref' in timer
