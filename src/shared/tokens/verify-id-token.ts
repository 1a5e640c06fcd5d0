/** Verifies ID tokens (OpenID Connect Core section 3.1.3.7): the signature, then the claims, then the times, also where the machine's own clock is wrong by hours. */
import { requireWebCrypto, base64url, equalText, sha256 } from '../foundation/crypto'
import { ProtocolError } from '../foundation/errors'
import { isUserId } from '../foundation/ids'
import { type Check, shown } from '../foundation/log-entry'
import { issuerRemedy } from '../foundation/oauth-errors'
import { invalidIdToken, type ParsedIdToken, parseIdToken, parseJson } from './parse-id-token'
import type { VerificationKey, RemoteJwks } from './remote-jwks'
import type { IdTokenClaims } from './token-set'

/** A completely verified ID token. */
export interface VerifiedIdToken {
  claims: IdTokenClaims
  /** ms to add to the local time to get the server's time. */
  skew: number
}

export interface VerifyIdTokenOptions {
  /** Source of the service's keys. */
  keys: RemoteJwks
  signal?: AbortSignal | undefined
  /** Called with every check that was made, whether or not the token is valid. Default: no report. */
  report?: (checks: readonly Check[]) => void
}

/**
 * Verifies an ID token (OpenID Connect Core section 3.1.3.7, RFC 8725). The signature is always checked, also when the token came over TLS.
 * @throws ProtocolError `invalid_id_token`, `keys_unavailable` (retryable, with the same token). @throws NetworkError `aborted`.
 * @throws ConfigurationError `unsupported` where the platform has no Web Crypto, as on a page that came over plain HTTP.
 */
export async function verifyIdToken(
  idToken: string,
  expected: IdTokenExpectation,
  { report = () => undefined, ...options }: VerifyIdTokenOptions,
): Promise<VerifiedIdToken> {
  const checks: Check[] = []
  try {
    return await runChecks(idToken, expected, { ...options, checks })
  } catch (error) {
    if (error instanceof ProtocolError && error.path) recordFailure(checks, error.path, error.expected)
    throw error
  } finally {
    report(checks)
  }
}

interface Verification extends Omit<VerifyIdTokenOptions, 'report'> {
  /** Collects every check that was made. */
  checks: Check[]
}

async function runChecks(
  idToken: string,
  expected: IdTokenExpectation,
  { keys, signal, checks }: Verification,
): Promise<VerifiedIdToken> {
  const parsed = parseIdToken(idToken)
  requireWebCrypto()
  checks.push({ check: 'header.alg', result: 'passed', expected: 'RS256 or ES256', got: parsed.header.alg })
  await requireSignature(parsed, keys, await keys.find(parsed.header, { signal }))
  checks.push({ check: 'signature', result: 'passed', expected: 'of a published key' })
  const claims = parseJson('payload', parsed.payload)
  requireClaims(claims, expected, checks)
  const skew = measureSkew(claims, expected)
  requireTimes(claims, expected.now + skew)
  return { claims, skew }
}

/** A claim may pass the format check and fail the time check. */
function recordFailure(checks: Check[], path: string, expected = ''): void {
  const known = checks.find(({ check }) => check === path)
  if (known) Object.assign(known, { result: 'failed', expected })
  else checks.push({ check: path, result: 'failed', expected })
}

/**
 * Tries each key: without a `kid`, only the signature identifies the key (OpenID Connect Core section 10.1).
 * @throws ProtocolError `invalid_id_token`.
 */
export async function requireSignature(
  token: ParsedIdToken,
  { verify }: RemoteJwks,
  candidates: readonly VerificationKey[],
): Promise<void> {
  const { kid } = token.header
  if (candidates.length === 0)
    throw kid === undefined
      ? invalidIdToken('header.alg', 'published')
      : invalidIdToken('header.kid', 'published')
  for (const key of candidates) if (await verify(key, token)) return
  throw invalidIdToken('signature', 'of a published key')
}

// Claims.

/** Expected properties of an ID token, given by the sign-in. */
export interface IdTokenExpectation {
  issuer: string
  clientId: string
  /** The nonce that was sent. Undefined if none was sent. */
  nonce?: string | undefined
  /** True for a refresh: the nonce may be absent, and is not compared if the first one is unknown (OpenID Connect Core section 12.2). */
  isRefresh?: boolean | undefined
  /** The access token that came with the ID token. */
  accessToken: string
  /** Local time when the token response arrived, epoch ms. */
  now: number
  /** Server time in that response, epoch ms, if readable. */
  serverDate?: number | undefined
}

/** A claim, its required value in words, and the check. */
type Rule = readonly [claim: string, expected: string, isValid: (value: unknown) => boolean]

/** Claims that prove something only as long as they are secret. */
const SECRET_CLAIMS = new Set(['nonce', 'at_hash'])

/**
 * Checks every claim that does not depend on the time, and adds each check to `checks`.
 * @throws ProtocolError `invalid_id_token` with the first claim that fails in `path`.
 */
export function requireClaims(
  payload: Readonly<Record<string, unknown>>,
  expected: IdTokenExpectation,
  checks: Check[],
): asserts payload is IdTokenClaims {
  checks.push(...rules(expected).map((rule) => checkClaim(payload, rule)))
  const failed = checks.find(({ result }) => result === 'failed')
  if (!failed) return
  const remedy = failed.check === 'iss' ? { remedy: issuerRemedy(payload['iss'], expected.issuer) } : {}
  throw invalidIdToken(failed.check, failed.expected ?? '', remedy)
}

function checkClaim(payload: Readonly<Record<string, unknown>>, [claim, expected, isValid]: Rule): Check {
  const value = payload[claim]
  const got = value === undefined ? {} : { got: SECRET_CLAIMS.has(claim) ? '[secret]' : shown(value) }
  return {
    check: claim,
    result: !isValid(value) ? 'failed' : value === undefined ? 'absent' : 'passed',
    expected,
    ...got,
  }
}

function rules({ issuer, clientId, nonce, isRefresh, accessToken }: IdTokenExpectation): readonly Rule[] {
  return [
    ['iss', issuer, (value) => value === issuer],
    [
      'aud',
      clientId,
      (value) => (Array.isArray(value) ? value.length === 1 && value[0] === clientId : value === clientId),
    ],
    ['azp', clientId, (value) => value === undefined || value === clientId],
    ['exp', 'a number', Number.isFinite],
    ['iat', 'a number', Number.isFinite],
    ['nbf', 'a number', (value) => value === undefined || Number.isFinite(value)],
    [
      'nonce',
      nonce === undefined ? 'absent' : 'as sent',
      (value) => (isRefresh && (value === undefined || nonce === undefined)) || isNonce(value, nonce),
    ],
    ['sub', 'a user id', isUserId],
    ['at_hash', 'of the access token', (value) => value === undefined || isHashOf(value, accessToken)],
  ]
}

/** Binds the token to this sign-in (rule 11). A nonce that was not sent belongs to another sign-in. */
function isNonce(value: unknown, nonce: string | undefined): boolean {
  if (nonce === undefined) return value === undefined
  return typeof value === 'string' && equalText(value, nonce)
}

/** OpenID Connect Core section 3.1.3.8: the left half of the hash. RS256 and ES256 both mean SHA-256. */
function isHashOf(value: unknown, accessToken: string): boolean {
  const hash = sha256(accessToken)
  return typeof value === 'string' && equalText(value, base64url(hash.subarray(0, hash.length / 2)))
}

const SECOND = 1000
const HOUR = 3_600_000

/** Tolerated difference between two correct clocks. */
const TOLERANCE = 60 * SECOND
/** Maximum age of a token that causes no correction of the clock. */
const MAX_UNCORRECTED_AGE = 300 * SECOND
/** Maximum token age, maximum clock correction, and maximum lifetime of a token used to correct the clock. */
const LIMIT = 48 * HOUR

/**
 * Measures the server's clock ahead of the local clock, in ms.
 *
 * There are three sources. The local clock may be wrong by hours. The response's `Date` header may come from a proxy and is not signed.
 * `iat` is signed, and it is recent if the token is bound to this sign-in (by its nonce, or as the response to our own refresh request). So
 * `Date` is used if one of the other two agrees with it, or if the token is not bound. A `Date` that differs from both is ignored, as if it
 * were not readable: then a bound `iat` corrects the local clock, and an unbound one does not.
 * @throws ProtocolError `invalid_id_token` (`iat`) if the correction, or the lifetime of the token that causes it, exceeds 48 hours.
 */
export function measureSkew(
  { iat, exp }: IdTokenClaims,
  { nonce, isRefresh, now, serverDate }: IdTokenExpectation,
): number {
  const issued = Math.round(iat * SECOND)
  const isBound = nonce !== undefined || isRefresh === true
  if (serverDate !== undefined && (!isBound || isClose(serverDate, now) || isClose(serverDate, issued)))
    return serverDate - now
  const difference = issued - now
  if (!isBound || (difference >= -MAX_UNCORRECTED_AGE && difference <= TOLERANCE)) return 0
  // During a session the local clock may have been changed by any amount.
  if (isRefresh) return difference
  if (Math.abs(difference) > LIMIT || (exp - iat) * SECOND > LIMIT)
    throw invalidIdToken('iat', 'within 48 h of now')
  return difference
}

const isClose = (date: number, other: number): boolean => Math.abs(date - other) <= MAX_UNCORRECTED_AGE

/**
 * Checks `exp`, `iat` and `nbf` (OpenID Connect Core section 3.1.3.7 rules 9 and 10, RFC 7519 section 4.1.5) against the corrected clock.
 * @throws ProtocolError `invalid_id_token`.
 */
export function requireTimes(claims: IdTokenClaims, now: number): void {
  const [exp, iat] = [claims.exp * SECOND, claims.iat * SECOND]
  const nbf = typeof claims['nbf'] === 'number' ? claims['nbf'] * SECOND : iat
  if (exp <= iat) throw invalidIdToken('exp', 'after iat')
  if (exp <= now - TOLERANCE) throw invalidIdToken('exp', 'ahead')
  if (iat > now + TOLERANCE) throw invalidIdToken('iat', 'past')
  if (iat < now - LIMIT) throw invalidIdToken('iat', 'within 48 h of now')
  if (nbf > now + TOLERANCE) throw invalidIdToken('nbf', 'past')
}
