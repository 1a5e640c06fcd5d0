/** What an ID token must say, and to whom (OpenID Connect Core section 3.1.3.7). Time is judged apart. */
import { type Check, shown } from '../../foundation/check'
import { base64url, equalText } from '../../foundation/encoding'
import { isUserId } from '../../foundation/ids'
import { sha256 } from '../../foundation/sha256'
import { invalidIdToken } from './error'
import type { IdTokenClaims } from '../token-set'

/** What is known about a sign-in before its ID token is read. */
export interface IdTokenExpectation {
  issuer: string
  clientId: string
  /** The nonce that was sent. Undefined: none was sent. */
  nonce?: string | undefined
  /** The token renews another one: it may leave the nonce out, and any is good where the first is not known (OpenID Connect Core section 12.2). */
  isRefresh?: boolean | undefined
  /** The access token that came with the ID token. */
  accessToken: string
  /** The local clock when the token answer came, epoch ms. */
  now: number
  /** The server's clock in that answer, epoch ms, where it could be read. */
  serverDate?: number | undefined
}

/** One claim, what it must be in words, and whether it is. */
type Rule = readonly [claim: string, expected: string, holds: (value: unknown) => boolean]

/** Claims that prove something only as long as nobody else knows them. */
const SECRET_CLAIMS = new Set(['nonce', 'at_hash'])

/**
 * Checks every claim that does not depend on the hour, and adds each check to `checks`.
 * @throws ProtocolError `invalid_id_token` with the first claim that fails in `path`.
 */
export function requireClaims(
  payload: Readonly<Record<string, unknown>>,
  expected: IdTokenExpectation,
  checks: Check[],
): asserts payload is IdTokenClaims {
  checks.push(...rules(expected).map((rule) => check(payload, rule)))
  const broken = checks.find(({ result }) => result === 'failed')
  if (broken) throw invalidIdToken(broken.check, broken.expected ?? '')
}

function check(payload: Readonly<Record<string, unknown>>, [claim, expected, holds]: Rule): Check {
  const value = payload[claim]
  const got = value === undefined ? {} : { got: SECRET_CLAIMS.has(claim) ? '[secret]' : shown(value) }
  return { check: claim, result: !holds(value) ? 'failed' : value === undefined ? 'absent' : 'passed', expected, ...got }
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

/** Binds the token to this very sign-in (rule 11). One that nobody asked for was made for another sign-in. */
function isNonce(value: unknown, nonce: string | undefined): boolean {
  if (nonce === undefined) return value === undefined
  return typeof value === 'string' && equalText(value, nonce)
}

/** OpenID Connect Core section 3.1.3.8: the left half of the hash. RS256 and ES256 both mean SHA-256. */
function isHashOf(value: unknown, accessToken: string): boolean {
  const hash = sha256(accessToken)
  return typeof value === 'string' && equalText(value, base64url(hash.subarray(0, hash.length / 2)))
}
