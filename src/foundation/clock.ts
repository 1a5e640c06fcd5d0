/** The one door to time: what the hour is, and what happens later. */
import { isRecord } from './encoding'

/** A source of time. Games never need their own; tests do. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Runs `callback` once after `delay` ms. The result undoes it. */
  after(delay: number, callback: () => void): () => void
}

/** The longest time that a platform's timer understands; a longer one would fire at once. ms, nearly 25 days. */
const LONGEST = 2 ** 31 - 1

/** Its timers fire after 25 days at the latest: whoever waits for longer looks again. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, Math.min(delay, LONGEST))
    return () => clearTimeout(timer)
  },
}

/** `after` for housekeeping: it does not keep a process alive. A game's own clock is taken at its word. */
export function afterIdle(clock: Clock, delay: number, callback: () => void): () => void {
  if (clock !== systemClock) return clock.after(delay, callback)
  const timer: unknown = setTimeout(callback, Math.min(delay, LONGEST))
  if (isUnrefable(timer)) timer.unref()
  return () => clearTimeout(Number(timer))
}

const isUnrefable = (timer: unknown): timer is { unref(): void } => isRecord(timer) && 'unref' in timer
