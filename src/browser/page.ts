/** What tabs share, and when one is left. Loaded with the first call that needs it. */
import type { Clock } from '../foundation/clock'
import type { RateLimitStore } from '../rate-limit/store'
import { sharedBudget } from './shared-budget'

/** Undefined where there is no database to share in, as in Node. */
export function openBudget(options: { name: string; clock: Clock }): RateLimitStore | undefined {
  return typeof indexedDB === 'object' ? sharedBudget(options) : undefined
}

/** `pagehide` is the last that a tab hears, on phones too. Workers and Node have none. */
export function onLeave(listener: () => void): () => void {
  if (typeof window !== 'object') return () => undefined
  window.addEventListener('pagehide', listener)
  return () => window.removeEventListener('pagehide', listener)
}
