/** A monotonic clock for measuring durations, with wall-clock time beside it for display. It loads with the first limited request. */
import { afterUnref, type Clock, systemClock } from './clock'

export interface MonotonicClock extends Clock {
  /**
   * Monotonic ms since an arbitrary origin: never goes back and is not affected by changes of the system clock. It may stand still while
   * the machine sleeps.
   */
  elapsed(): number
  /** Like `after`, but the timer does not keep a process alive. For housekeeping. */
  afterUnref(delay: number, callback: () => void): () => void
}

/** Adds a monotonic reading to a clock. The system clock gets `performance.now()`; for a custom clock, `now()` serves as both. */
export function monotonic(clock: Clock): MonotonicClock {
  const own = clock !== systemClock
  return {
    now: () => clock.now(),
    after: (delay, callback) => clock.after(delay, callback),
    elapsed: own ? () => clock.now() : () => performance.now(),
    afterUnref: (delay, callback) => afterUnref(clock, delay, callback),
  }
}
