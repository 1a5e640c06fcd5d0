/** Access to time: the current time, and timers. */
import { isRecord } from './untrusted-values'

/** A source of time. Games never need their own; tests do. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Runs `callback` once after `delay` ms. Returns a function that cancels it. */
  after(delay: number, callback: () => void): () => void
}

/** Longest delay of a platform timer, in ms (nearly 25 days). A longer one would fire at once. */
const MAX_TIMER_DELAY = 2 ** 31 - 1

/**
 * Like `after`, for deadlines. A machine that slept through the deadline runs the first of two timers on waking, and events that arrived
 * meanwhile are processed in the remaining eighth.
 */
export function afterAwake(clock: Clock, delay: number, callback: () => void): () => void {
  let cancel = clock.after(delay - delay / 8, () => (cancel = clock.after(delay / 8, callback)))
  return () => cancel()
}

/** The platform's clock. Its timers fire after 25 days at the latest: callers that wait longer must check the time again. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, Math.min(delay, MAX_TIMER_DELAY))
    return () => clearTimeout(timer)
  },
}

/** Like `after`, but the timer does not keep a process alive. For housekeeping. A custom clock has no such timer: its `after` is used. */
export function afterUnref(clock: Clock, delay: number, callback: () => void): () => void {
  if (clock !== systemClock) return clock.after(delay, callback)
  const timer: unknown = setTimeout(callback, Math.min(delay, MAX_TIMER_DELAY))
  if (isUnrefable(timer)) timer.unref()
  return () => clearTimeout(Number(timer))
}

const isUnrefable = (timer: unknown): timer is { unref(): void } => isRecord(timer) && 'unref' in timer
