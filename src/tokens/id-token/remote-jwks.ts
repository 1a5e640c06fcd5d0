/** Remote JWKS (RFC 7517): fetched on demand, cached, and rate limited. */
import { ProtocolError } from '../../foundation/errors'
import { requestJson, type HttpContext, type HttpRequest } from '../../http/request-json'
import { endpointRoute } from '../../service/endpoint-route'
import type { KeySetResponse } from '../../wire/oauth'
import { readKeys, selectKeys, type KeyQuery, type PublishedKey, type VerificationKey } from './select-keys'
import { afterFailure, afterFetch, afterMiss, isUsable, nextStep, type JwksCache } from './jwks-cache'
import { createVerify, type Verify } from './verify-signature'
import { createSingleFlight, type SingleFlight } from '../../foundation/single-flight'

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
      if (nextStep(state.cache, { known: true, now: http.clock.now() }) === 'fetch') await state.fetch().catch(() => undefined)
    },
  }
}

/** Fetches the keys, and falls back to a cached key if that fails. */
async function findOrFetch(state: JwksState, header: KeyQuery, signal: AbortSignal | undefined): Promise<readonly VerificationKey[]> {
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
  throw new ProtocolError('malformed_response', `${request.route} ${status}`, { path: 'keys', expected: 'an array' })
}

/** Retryable with the same token: nothing was consumed. */
function unavailable({ route }: HttpRequest, cause?: unknown): ProtocolError {
  return new ProtocolError('keys_unavailable', route, { retryable: true, cause })
}
