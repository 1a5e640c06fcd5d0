/** Remote JWKS (RFC 7517): fetched on demand and rate limited. Pure functions decide when to use cached keys and when to fetch them. */
import { ProtocolError } from '../../foundation/errors'
import { requestJson, type HttpContext, type HttpRequest, endpointRoute } from '../../http/http-client'
import type { KeySetResponse } from '../../wire/oauth'
import {
  readKeys,
  selectKeys,
  type KeyQuery,
  type PublishedKey,
  type VerificationKey,
  createVerify,
  type Verify,
} from './verify-signature'
import { createSingleFlight, type SingleFlight } from '../../foundation/in-time'

/** The key set of a client. It uses no timer and fetches nothing before the first token arrives or is expected. */
export interface RemoteJwks {
  /**
   * Candidate keys for a token with this header, four at most; empty if the service publishes no such key. Rejects with ProtocolError
   * `keys_unavailable` (retryable) or NetworkError `aborted`.
   */
  find(header: KeyQuery, options?: { signal?: AbortSignal | undefined }): Promise<readonly VerificationKey[]>
  /** Verifies a signature with a key that `find` returned. */
  verify: Verify
  /** Fetches the keys for an expected token, unless the cache is fresh. Never rejects: `find` tries again. */
  prefetch(): Promise<void>
}

interface JwksState {
  http: HttpContext
  request: HttpRequest
  cache: JwksCache
  fetch: SingleFlight
}

/** @param timeout ms for one fetch of the keys. Default: 10 000. */
export function createRemoteJwks(http: HttpContext, url: string, timeout = 10_000): RemoteJwks {
  const route = `GET ${endpointRoute(url)}`
  const request: HttpRequest = { method: 'GET', url, route, timeout }
  const fetch = createSingleFlight(http.clock, route, () => refetch(state))
  const state: JwksState = { http, request, cache: { keys: [] }, fetch }
  return {
    async find(header, { signal } = {}) {
      const cached = selectKeys(state.cache.keys, header)
      const step = nextStep(state.cache, { known: cached.length > 0, now: http.clock.now(), kid: header.kid })
      if (step === 'fetch') return findOrFetch(state, header, signal)
      if (step === 'unavailable') throw unavailable(request)
      return step === 'use' ? cached : []
    },
    verify: createVerify(),
    async prefetch() {
      if (nextStep(state.cache, { known: true, now: http.clock.now() }) === 'fetch')
        await state.fetch().catch(() => undefined)
    },
  }
}

/** Fetches the keys, and falls back to a cached key if that fails. */
async function findOrFetch(
  state: JwksState,
  header: KeyQuery,
  signal: AbortSignal | undefined,
): Promise<readonly VerificationKey[]> {
  try {
    await state.fetch(signal)
    const found = selectKeys(state.cache.keys, header)
    if (found.length === 0) state.cache = afterMiss(state.cache, header.kid)
    return found
  } catch (error) {
    const cached = isUsable(state.cache, state.http.clock.now()) ? selectKeys(state.cache.keys, header) : []
    if (signal?.aborted || cached.length === 0) throw error
    return cached
  }
}

async function refetch(state: JwksState): Promise<void> {
  const now = state.http.clock.now()
  try {
    state.cache = afterFetch(state.cache, await fetchKeys(state.http, state.request), now)
  } catch (error) {
    state.cache = afterFailure(state.cache, now)
    throw unavailable(state.request, error)
  }
}

async function fetchKeys(http: HttpContext, request: HttpRequest): Promise<readonly PublishedKey[]> {
  const { body, status } = await requestJson(http, request)
  const { keys }: KeySetResponse = body
  if (status === 200 && Array.isArray(keys)) return readKeys(keys)
  throw new ProtocolError('malformed_response', `${request.route} ${status}`, {
    path: 'keys',
    expected: 'an array',
  })
}

/** Retryable with the same token: nothing was consumed. */
function unavailable({ route }: HttpRequest, cause?: unknown): ProtocolError {
  return new ProtocolError('keys_unavailable', route, { retryable: true, cause })
}

/** ms after which a removed key must no longer be used (OpenID Connect Core section 10.1.1). */
const MAX_AGE = 10 * 60_000
/** ms between two fetches caused by tokens, so that invented key ids cannot flood the service. */
const COOLDOWN = 30_000
/** ms for which cached keys may be used while the service cannot be reached. */
const MAX_OFFLINE_AGE = 24 * 3_600_000
/** Key ids that are remembered as missing. */
const MAX_MISSING = 100

/** Times are epoch ms at the start of the fetch. */
interface JwksCache {
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
type JwksStep = 'use' | 'fetch' | 'none' | 'unavailable'

/**
 * Next step for a token whose key is cached (`known`) or not.
 *
 * The first unknown key id is fetched at once, even right after another fetch: the service may just have changed its key.
 */
function nextStep(
  cache: JwksCache,
  { known, now, kid = '' }: { known: boolean; now: number; kid?: string | undefined },
): JwksStep {
  if (!isUsable(cache, now)) return 'fetch'
  if (known && isFresh(cache, now)) return 'use'
  if (isWithin(cache.failedAt, COOLDOWN, now)) return known ? 'use' : 'unavailable'
  if (!isFresh(cache, now) || !isWithin(cache.searchedAt, COOLDOWN, now)) return 'fetch'
  // Another invented id may have caused the search, just before the service changed its key: this one may exist.
  return cache.missing?.includes(kid) ? 'none' : 'unavailable'
}

/** True if cached keys may be used while the service cannot be reached. */
function isUsable({ fetchedAt }: JwksCache, now: number): boolean {
  return isWithin(fetchedAt, MAX_OFFLINE_AGE, now)
}

function afterFetch(cache: JwksCache, keys: readonly PublishedKey[], now: number): JwksCache {
  if (isFresh(cache, now)) return { keys, fetchedAt: now, searchedAt: now }
  return { keys, fetchedAt: now, searchedAt: cache.searchedAt, missing: cache.missing ?? [] }
}

/** The fetch has not found this key id. */
function afterMiss(cache: JwksCache, kid = ''): JwksCache {
  return { ...cache, missing: [...(cache.missing ?? []), kid].slice(-MAX_MISSING) }
}

function afterFailure(cache: JwksCache, now: number): JwksCache {
  return { ...cache, failedAt: now }
}

function isFresh({ fetchedAt }: JwksCache, now: number): boolean {
  return isWithin(fetchedAt, MAX_AGE, now)
}

/** In either direction: after the clock was set back, old entries must not count as recent. */
function isWithin(time: number | undefined, span: number, now: number): boolean {
  return time !== undefined && Math.abs(now - time) < span
}
