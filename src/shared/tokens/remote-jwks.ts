/** The service's published keys (RFC 7517): fetched on demand and rate limited, chosen for a token, and used to verify its signature. */
import { type CryptoKey, importJWK } from 'jose'
import { ProtocolError } from '../foundation/errors'
import { createSingleFlight, type SingleFlight } from '../foundation/in-time'
import { isRecord } from '../foundation/untrusted-values'
import { requestJson, type HttpContext, type HttpRequest, endpointRoute } from '../http/http-client'
import type { KeySetResponse } from '../wire/oauth'
import { decodeBase64url } from './parse-id-token'

// A key: read from the published set, chosen by the header of a token (RFC 8725 section 3.5), and used to verify its signature.

/** RFC 7518 section 3.3 and 3.4. The type of a key determines its algorithm: the token's header has no influence. */
const RS256 = { name: 'RSASSA-PKCS1-v1_5' }
const ES256 = { name: 'ECDSA', hash: 'SHA-256' }

interface Signed {
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Resolves with false also for a key that cannot be imported. */
type Verify = (key: VerificationKey, token: Signed) => Promise<boolean>

function createVerify(): Verify {
  const imported = new WeakMap<VerificationKey, Promise<CryptoKey | Uint8Array>>()
  return async (key, { signed, signature }) => {
    const isRsa = key.kty === 'RSA'
    try {
      const importing = imported.get(key) ?? importJWK({ ...key }, isRsa ? 'RS256' : 'ES256')
      imported.set(key, importing)
      const publicKey = await importing
      // Only symmetric keys are imported as bytes, and a `VerificationKey` is never symmetric.
      return (
        !(publicKey instanceof Uint8Array) &&
        (await crypto.subtle.verify(isRsa ? RS256 : ES256, publicKey, signature, signed))
      )
    } catch {
      return false
    }
  }
}

/** RFC 7518 section 3.3. */
const MIN_MODULUS_BITS = 2048
/** Maximum number of keys to try for one token. */
const MAX_CANDIDATES = 4

/** A public key, rebuilt from its public members: other published members, such as a private part, are dropped. */
export type VerificationKey =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }

/** A usable key of the service. */
export interface PublishedKey {
  readonly kid: string | undefined
  /** The key's only algorithm, which follows from its type. */
  readonly alg: 'RS256' | 'ES256'
  readonly key: VerificationKey
}

/** Header fields of a token that select its key. */
export interface KeyQuery {
  readonly alg: string
  readonly kid?: string | undefined
}

/** The usable keys of a key set. Broken, weak or unsuitable keys are skipped (RFC 7517 section 5). */
export function readKeys(keys: readonly unknown[]): readonly PublishedKey[] {
  return keys.map(readKey).filter((key) => key !== undefined)
}

/** Candidate keys for a token with this header, four at most. Without `kid`, every key of the algorithm is a candidate. */
export function selectKeys(
  keys: readonly PublishedKey[],
  { alg, kid }: KeyQuery,
): readonly VerificationKey[] {
  const candidates = keys.filter((key) => key.alg === alg && (kid === undefined || key.kid === kid))
  return candidates.slice(0, MAX_CANDIDATES).map(({ key }) => key)
}

function readKey(value: unknown): PublishedKey | undefined {
  if (!isRecord(value) || !isForVerifying(value)) return undefined
  const key = readRsaKey(value) ?? readEcKey(value)
  const { kid, alg } = value
  if (!key || (kid !== undefined && typeof kid !== 'string')) return undefined
  const algorithm = key.kty === 'RSA' ? 'RS256' : 'ES256'
  return alg === undefined || alg === algorithm ? { kid, alg: algorithm, key } : undefined
}

/** RFC 7517 section 4.2 and 4.3. */
function isForVerifying({ use, key_ops: operations }: Readonly<Record<string, unknown>>): boolean {
  if (use !== undefined && use !== 'sig') return false
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
}

function readRsaKey({ kty, n, e }: Readonly<Record<string, unknown>>): VerificationKey | undefined {
  if (kty !== 'RSA' || typeof n !== 'string' || typeof e !== 'string') return undefined
  return bitLength(n) >= MIN_MODULUS_BITS && bitLength(e) > 1 ? { kty, n, e } : undefined
}

function readEcKey({ kty, crv, x, y }: Readonly<Record<string, unknown>>): VerificationKey | undefined {
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') return undefined
  return [x, y].every((coordinate) => decodeBase64url(coordinate)?.length === 32)
    ? { kty, crv, x, y }
    : undefined
}

/** Bit length of a base64url number without leading zeros. 0 if it is invalid. */
function bitLength(text: string): number {
  const bytes = decodeBase64url(text) ?? new Uint8Array()
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24)
}

// The set: pure functions decide when to use cached keys and when to fetch them.

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
