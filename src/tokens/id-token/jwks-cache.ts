/** JWKS cache policy as pure functions: when to use cached keys and when to fetch them. */
import type { PublishedKey } from './select-keys'

/** ms after which a removed key must no longer be used (OpenID Connect Core section 10.1.1). */
const MAX_AGE = 10 * 60_000
/** ms between two fetches caused by tokens, so that invented key ids cannot flood the service. */
const COOLDOWN = 30_000
/** ms for which cached keys may be used while the service cannot be reached. */
const MAX_OFFLINE_AGE = 24 * 3_600_000
/** Key ids that are remembered as missing. */
const MAX_MISSING = 100

/** Times are epoch ms at the start of the fetch. */
export interface JwksCache {
  readonly keys: readonly PublishedKey[]
  readonly fetchedAt?: number
  /** The last successful fetch for an unknown key id while the cache was fresh. */
  readonly searchedAt?: number | undefined
  /** Key ids that this search has not found; an empty one for tokens without. */
  readonly missing?: readonly string[]
  /** The last fetch, if it failed. */
  readonly failedAt?: number
}

/** `none`: the service has no such key. `unavailable`: it may have one, and cannot be asked yet. */
export type JwksStep = 'use' | 'fetch' | 'none' | 'unavailable'

/**
 * Next step for a token whose key is cached (`known`) or not.
 *
 * The first unknown key id is fetched at once, even right after another fetch: the service may just have changed its key.
 */
export function nextStep(cache: JwksCache, { known, now, kid = '' }: { known: boolean; now: number; kid?: string | undefined }): JwksStep {
  if (!isUsable(cache, now)) return 'fetch'
  if (known && isFresh(cache, now)) return 'use'
  if (isWithin(cache.failedAt, COOLDOWN, now)) return known ? 'use' : 'unavailable'
  if (!isFresh(cache, now) || !isWithin(cache.searchedAt, COOLDOWN, now)) return 'fetch'
  // Another invented id may have caused the search, just before the service changed its key: this one may exist.
  return cache.missing?.includes(kid) ? 'none' : 'unavailable'
}

/** True if cached keys may be used while the service cannot be reached. */
export function isUsable({ fetchedAt }: JwksCache, now: number): boolean {
  return isWithin(fetchedAt, MAX_OFFLINE_AGE, now)
}

export function afterFetch(cache: JwksCache, keys: readonly PublishedKey[], now: number): JwksCache {
  if (isFresh(cache, now)) return { keys, fetchedAt: now, searchedAt: now }
  return { keys, fetchedAt: now, searchedAt: cache.searchedAt, missing: cache.missing ?? [] }
}

/** The fetch has not found this key id. */
export function afterMiss(cache: JwksCache, kid = ''): JwksCache {
  return { ...cache, missing: [...(cache.missing ?? []), kid].slice(-MAX_MISSING) }
}

export function afterFailure(cache: JwksCache, now: number): JwksCache {
  return { ...cache, failedAt: now }
}

function isFresh({ fetchedAt }: JwksCache, now: number): boolean {
  return isWithin(fetchedAt, MAX_AGE, now)
}

/** In either direction: after the clock was set back, old entries must not count as recent. */
function isWithin(time: number | undefined, span: number, now: number): boolean {
  return time !== undefined && Math.abs(now - time) < span
}
