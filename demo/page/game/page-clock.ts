/** Clock that can be set forward, so that days pass in a moment, as on a machine that wakes from sleep. */
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
