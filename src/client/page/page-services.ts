/** Services of a page: shared rate limits and the end of a tab. Loaded with the first call that needs them. */
import type { Clock } from '../../shared/foundation/clock'
import type { RateLimitStore } from '../../shared/rate-limit/store-port'
import { JOIN } from '../lobbies/invitation'
import { withoutResponse } from './address-bar'
import { indexedDbRateLimitStore } from './indexed-db-limits'

/** Returns undefined without IndexedDB, as in Node. */
export function openRateLimitStore(options: { name: string; clock: Clock }): RateLimitStore | undefined {
  return hasDatabase() ? indexedDbRateLimitStore(options) : undefined
}

/** Some browsers throw on access when storage is blocked. */
function hasDatabase(): boolean {
  try {
    return typeof indexedDB === 'object'
  } catch {
    return false
  }
}

/** `pagehide` is the last reliable event of a tab, on phones too. Absent in workers and Node. */
export function onPageHide(listener: () => void): () => void {
  if (typeof window !== 'object') return () => undefined
  window.addEventListener('pagehide', listener)
  return () => window.removeEventListener('pagehide', listener)
}

/** Without the response of a sign-in, and without the fragment, which is the player's own place in the game. */
export function inviteAddress(): string | undefined {
  if (typeof document !== 'object' || !location.protocol.startsWith('http')) return undefined
  return withoutResponse(location.href).href.replace(/#.*/, '') + JOIN
}
