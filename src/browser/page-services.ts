/** What tabs share, and when one is left. Loaded with the first call that needs it. */
import type { Clock } from '../foundation/clock'
import type { RateLimitStore } from '../rate-limit/shared/store'
import { indexedDbRateLimitStore } from './indexed-db-rate-limit-store'

/** Undefined where there is no database to share in, as in Node. */
export function openBudget(options: { name: string; clock: Clock }): RateLimitStore | undefined {
  return hasDatabase() ? indexedDbRateLimitStore(options) : undefined
}

/** Some browsers throw as soon as a page that may keep nothing names it. */
function hasDatabase(): boolean {
  try {
    return typeof indexedDB === 'object'
  } catch {
    return false
  }
}

/** `pagehide` is the last that a tab hears, on phones too. Workers and Node have none. */
export function onLeave(listener: () => void): () => void {
  if (typeof window !== 'object') return () => undefined
  window.addEventListener('pagehide', listener)
  return () => window.removeEventListener('pagehide', listener)
}
