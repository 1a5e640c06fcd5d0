/** Validates the times of an ID token, on machines whose own clock may be wrong by hours. */
import type { IdTokenExpectation } from './require-claims'
import { invalidIdToken } from './invalid-id-token'
import type { IdTokenClaims } from '../token-set'

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
export function measureSkew({ iat, exp }: IdTokenClaims, { nonce, isRefresh, now, serverDate }: IdTokenExpectation): number {
  const issued = Math.round(iat * SECOND)
  const isBound = nonce !== undefined || isRefresh === true
  if (serverDate !== undefined && (!isBound || isClose(serverDate, now) || isClose(serverDate, issued))) return serverDate - now
  const difference = issued - now
  if (!isBound || (difference >= -MAX_UNCORRECTED_AGE && difference <= TOLERANCE)) return 0
  // During a session the local clock may have been changed by any amount.
  if (isRefresh) return difference
  if (Math.abs(difference) > LIMIT || (exp - iat) * SECOND > LIMIT) throw invalidIdToken('iat', 'within 48 h of now')
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
