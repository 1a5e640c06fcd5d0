/** Checks the claims of an ID token except times (OpenID Connect Core section 3.1.3.7). */
import { type Check, shown } from '../../foundation/logged-response-check'
import { base64url } from '../../foundation/base64url'
import { issuerRemedy } from '../../foundation/issuer-remedy'
import { equalText } from '../../foundation/equal-text'
import { isUserId } from '../../foundation/ids'
import { sha256 } from '../../foundation/sha256'
import { invalidIdToken } from './invalid-id-token'
import type { IdTokenClaims } from '../token-set'

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
  checks.push(...rules(expected).map((rule) => check(payload, rule)))
  const failed = checks.find(({ result }) => result === 'failed')
  if (!failed) return
  const remedy = failed.check === 'iss' ? { remedy: issuerRemedy(payload['iss'], expected.issuer) } : {}
  throw invalidIdToken(failed.check, failed.expected ?? '', remedy)
}

function check(payload: Readonly<Record<string, unknown>>, [claim, expected, isValid]: Rule): Check {
  const value = payload[claim]
  const got = value === undefined ? {} : { got: SECRET_CLAIMS.has(claim) ? '[secret]' : shown(value) }
  return { check: claim, result: !isValid(value) ? 'failed' : value === undefined ? 'absent' : 'passed', expected, ...got }
}

function rules({ issuer, clientId, nonce, isRefresh, accessToken }: IdTokenExpectation): readonly Rule[] {
  return [
    ['iss', issuer, (value) => value === issuer],
    ['aud', clientId, (value) => (Array.isArray(value) ? value.length === 1 && value[0] === clientId : value === clientId)],
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
