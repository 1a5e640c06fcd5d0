/** A clock that can be set forward, so that days of a session pass in a moment, as they do for a machine that sleeps. */
import type { Clock } from 'foyer-sdk'

export interface PageClock extends Clock {
  skip(ms: number): void
}

export function createPageClock(ahead: number): PageClock {
  let skipped = ahead
  return {
    now: () => Date.now() + skipped,
    after(delay, callback) {
      const timer = setTimeout(callback, delay)
      return () => clearTimeout(timer)
    },
    skip(ms) {
      skipped += ms
    },
  }
}
