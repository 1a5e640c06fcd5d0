/** Verifies an ID token: its format, signature, claims and times. Loaded when a player signs in. */
import type { Check } from '../../foundation/log-entry'
import { ProtocolError } from '../../foundation/errors'
import { requireWebCrypto } from '../../foundation/crypto'
import { requireClaims, type IdTokenExpectation, measureSkew, requireTimes } from './require-claims'
import { invalidIdToken, type ParsedIdToken, parseIdToken, parseJson } from './parse-id-token'
import type { VerificationKey } from './verify-signature'
import type { RemoteJwks } from './remote-jwks'
import type { IdTokenClaims } from '../token-set'

export type { IdTokenExpectation } from './require-claims'

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
