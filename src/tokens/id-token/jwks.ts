/** The service's public keys (RFC 7517): fetched when needed, kept for a while, and never fetched in a storm. */
import { ProtocolError } from '../../foundation/errors'
import { requestJson, type HttpContext, type HttpRequest } from '../../http/request'
import type { KeySetResponse } from '../../wire/oauth'
import { readKeys, selectKeys, type KeyQuery, type PublishedKey, type VerificationKey } from './jwk'
import { afterFailure, afterFetch, isUsable, nextStep, type JwksCache } from './jwks-cache'
import { createVerify, type Verify } from './verify-signature'
import { createSingleFlight, type SingleFlight } from '../../foundation/single-flight'

const ROUTE = 'GET /oauth2/keys'

/** One for each client. Holds no timer; nothing is fetched before the first token comes, or is expected. */
export interface RemoteJwks {
  /**
   * The keys that a token with this header may have been signed with, four at most; none when the service publishes no such key.
   * Rejects with ProtocolError `keys_unavailable` (retryable) or NetworkError `aborted`.
   */
  find(header: KeyQuery, options?: { signal?: AbortSignal | undefined }): Promise<readonly VerificationKey[]>
  /** Whether a token was signed with a key that `find` gave. */
  verify: Verify
  /** Fetches the keys for a token that will come, unless fresh ones are here. Never rejects: `find` asks again. */
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
  const request: HttpRequest = { method: 'GET', url, route: ROUTE, timeout }
  const fetch = createSingleFlight(http.clock, () => refetch(shelf))
  const shelf: JwksState = { http, request, cache: { keys: [] }, fetch }
  return {
    async find(header, { signal } = {}) {
      const kept = selectKeys(shelf.cache.keys, header)
      const step = nextStep(shelf.cache, { known: kept.length > 0, now: http.clock.now() })
      if (step === 'fetch') return findOrFetch(shelf, header, signal)
      if (step === 'unavailable') throw unavailable()
      return step === 'use' ? kept : []
    },
    verify: createVerify(),
    async prefetch() {
      if (nextStep(shelf.cache, { known: true, now: http.clock.now() }) === 'fetch') await shelf.fetch().catch(() => undefined)
    },
  }
}

/** Fetches, and falls back on a kept key when that fails. */
async function findOrFetch(shelf: JwksState, header: KeyQuery, signal: AbortSignal | undefined): Promise<readonly VerificationKey[]> {
  try {
    await shelf.fetch(signal)
    return selectKeys(shelf.cache.keys, header)
  } catch (error) {
    const kept = isUsable(shelf.cache, shelf.http.clock.now()) ? selectKeys(shelf.cache.keys, header) : []
    if (signal?.aborted || kept.length === 0) throw error
    return kept
  }
}

async function refetch(shelf: JwksState): Promise<void> {
  const now = shelf.http.clock.now()
  try {
    shelf.cache = afterFetch(shelf.cache, await fetchKeys(shelf.http, shelf.request), now)
  } catch (error) {
    shelf.cache = afterFailure(shelf.cache, now)
    throw unavailable(error)
  }
}

async function fetchKeys(http: HttpContext, request: HttpRequest): Promise<readonly PublishedKey[]> {
  const { body, status } = await requestJson(http, request)
  const { keys }: KeySetResponse = body
  if (status === 200 && Array.isArray(keys)) return readKeys(keys)
  throw new ProtocolError('malformed_response', `${ROUTE} ${status}`, { path: 'keys', expected: 'an array' })
}

/** The same token can be verified later: nothing was consumed. */
function unavailable(cause?: unknown): ProtocolError {
  return new ProtocolError('keys_unavailable', ROUTE, { retryable: true, cause })
}
