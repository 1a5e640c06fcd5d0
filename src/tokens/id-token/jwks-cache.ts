/** When kept keys may be used and when they must be fetched: decisions only, no clock and no network. */
import type { PublishedKey } from './jwk'

/** After this a removed key must be gone (OpenID Connect Core section 10.1.1). */
const MAX_AGE = 10 * 60_000
/** Between two fetches that a token can provoke, so that invented key ids are no way to flood the service. */
const COOLDOWN = 30_000
/** How long kept keys stand in while the service's cannot be fetched. */
const MAX_OFFLINE_AGE = 24 * 3_600_000

/** Times are epoch ms, taken when the fetch began. */
export interface JwksCache {
  readonly keys: readonly PublishedKey[]
  readonly fetchedAt?: number
  /** The last successful fetch for the sake of an unknown key id, while the kept keys were still fresh. */
  readonly searchedAt?: number
  /** The last fetch, when it failed. */
  readonly failedAt?: number
}

/** `none`: the service has no such key. `unavailable`: it may have, and cannot be asked yet. */
export type JwksStep = 'use' | 'fetch' | 'none' | 'unavailable'

/**
 * What to do for a token whose key is kept (`known`) or not.
 *
 * The first unknown key id is looked up at once, even right after a fetch: the service may just have changed its key.
 */
export function nextStep(cache: JwksCache, { known, now }: { known: boolean; now: number }): JwksStep {
  if (!isUsable(cache, now)) return 'fetch'
  if (known && isFresh(cache, now)) return 'use'
  if (isWithin(cache.failedAt, COOLDOWN, now)) return known ? 'use' : 'unavailable'
  return isFresh(cache, now) && isWithin(cache.searchedAt, COOLDOWN, now) ? 'none' : 'fetch'
}

/** Whether kept keys may stand in for ones that cannot be fetched. */
export function isUsable({ fetchedAt }: JwksCache, now: number): boolean {
  return isWithin(fetchedAt, MAX_OFFLINE_AGE, now)
}

export function afterFetch(cache: JwksCache, keys: readonly PublishedKey[], now: number): JwksCache {
  const searchedAt = isFresh(cache, now) ? now : cache.searchedAt
  return { keys, fetchedAt: now, ...(searchedAt !== undefined && { searchedAt }) }
}

export function afterFailure(cache: JwksCache, now: number): JwksCache {
  return { ...cache, failedAt: now }
}

function isFresh({ fetchedAt }: JwksCache, now: number): boolean {
  return isWithin(fetchedAt, MAX_AGE, now)
}

/** In either direction: a clock that was set back makes nothing young again. */
function isWithin(time: number | undefined, span: number, now: number): boolean {
  return time !== undefined && Math.abs(now - time) < span
}
