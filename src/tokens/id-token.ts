/** Verifies an ID token: its form, its signature, its claims, its time. Loaded only when a token comes, since it brings its library along. */
import { compactVerify } from 'jose'
import { ConfigurationError } from '../foundation/errors'
import { requireClaims, type IdTokenExpectation } from './id-token-claims'
import { invalidIdToken } from './id-token-error'
import { ALGORITHMS, parseIdToken, parseJson, type IdTokenHeader } from './id-token-format'
import { measureSkew, requireTimes } from './id-token-time'
import type { VerificationKey } from './key'
import type { KeySet } from './key-set'
import type { IdTokenClaims } from './token-set'

export type { IdTokenExpectation } from './id-token-claims'

/** An ID token whose every check has passed. */
export interface VerifiedIdToken {
  claims: IdTokenClaims
  /** ms to add to the local clock to get the server's. */
  skew: number
}

export interface VerifyIdTokenOptions {
  /** Where the service's keys come from. */
  keys: KeySet
  signal?: AbortSignal | undefined
}

/**
 * Verifies an ID token (OpenID Connect Core section 3.1.3.7, RFC 8725). The signature is always checked, also when the token came over TLS.
 * @throws ProtocolError `invalid_id_token`, `keys_unavailable` (retryable, with the same token). @throws NetworkError `aborted`.
 * @throws ConfigurationError `unsupported` where the platform has no Web Crypto, as on a page that came over plain HTTP.
 */
export async function verifyIdToken(
  idToken: string,
  expected: IdTokenExpectation,
  { keys, signal }: VerifyIdTokenOptions,
): Promise<VerifiedIdToken> {
  const { header, payload } = parseIdToken(idToken)
  requireWebCrypto()
  await requireSignature(idToken, header, await keys.find(header, { signal }))
  const claims = parseJson('payload', payload)
  requireClaims(claims, expected)
  const skew = measureSkew(claims, expected)
  requireTimes(claims, expected.now + skew)
  return { claims, skew }
}

/** Without this, every signature would look bad. */
function requireWebCrypto(): void {
  const platform: { crypto?: Partial<Crypto> } = globalThis
  if (!platform.crypto?.subtle) throw new ConfigurationError('unsupported', 'crypto.subtle')
}

/** Tries each key: without a `kid` only the signature tells which one it was (OpenID Connect Core section 10.1). */
async function requireSignature(idToken: string, { kid }: IdTokenHeader, keys: readonly VerificationKey[]): Promise<void> {
  if (keys.length === 0) throw kid === undefined ? invalidIdToken('header.alg', 'published') : invalidIdToken('header.kid', 'published')
  for (const key of keys) if (await isSignedWith(idToken, key)) return
  throw invalidIdToken('signature', 'of a published key')
}

/** The library's errors stay here: they may carry the token. A key that cannot be imported has signed nothing. */
async function isSignedWith(idToken: string, key: VerificationKey): Promise<boolean> {
  try {
    await compactVerify(idToken, key, { algorithms: [...ALGORITHMS] })
    return true
  } catch {
    return false
  }
}
