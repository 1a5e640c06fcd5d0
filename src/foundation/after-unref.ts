/** A timer for housekeeping, which does not keep a process alive. */
import { type Clock, MAX_TIMER_DELAY, systemClock } from './clock'
import { isRecord } from './values/guard-untrusted-values'

/** Like `after`, but the timer does not keep a process alive. For housekeeping. A custom clock has no such timer: its `after` is used. */
export function afterUnref(clock: Clock, delay: number, callback: () => void): () => void {
  if (clock !== systemClock) return clock.after(delay, callback)
  const timer: unknown = setTimeout(callback, Math.min(delay, MAX_TIMER_DELAY))
  if (isUnrefable(timer)) timer.unref()
  return () => clearTimeout(Number(timer))
}

const isUnrefable = (timer: unknown): timer is { unref(): void } => isRecord(timer) && 'unref' in timer
