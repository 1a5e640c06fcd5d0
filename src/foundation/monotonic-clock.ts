/** Time that never jumps, for whoever measures how long ago something was; the hour of the day beside it, for people. */
import { afterIdle, type Clock, systemClock } from './clock'

export interface MonotonicClock extends Clock {
  /** ms since some moment; never goes back, never leaps when the machine's clock is set. It may stand still while the machine sleeps. */
  elapsed(): number
  /** `after` for housekeeping: it does not keep a process alive. */
  afterUnref(delay: number, callback: () => void): () => void
}

/** A game's own clock is taken at its word; the system's gets the platform's steady counter. */
export function monotonic(clock: Clock): MonotonicClock {
  const own = clock !== systemClock
  return {
    now: () => clock.now(),
    after: (delay, callback) => clock.after(delay, callback),
    elapsed: own ? () => clock.now() : () => performance.now(),
    afterUnref: (delay, callback) => afterIdle(clock, delay, callback),
  }
}
