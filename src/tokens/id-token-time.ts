/** Whether an ID token is of this hour, on machines whose own clock may be wrong by hours. */
import type { IdTokenExpectation } from './id-token-claims'
import { invalidIdToken } from './id-token-error'
import type { IdTokenClaims } from './token-set'

const SECOND = 1000
const HOUR = 3_600_000

/** What two honest clocks may differ by after correction. */
const TOLERANCE = 60 * SECOND
/** A difference that says nothing: the player's time on the consent page, or a clock that is a little off. */
const UNREMARKABLE = 300 * SECOND
/** The longest life of a token, its greatest age and the largest correction. */
const LIMIT = 48 * HOUR

/**
 * How far the server's clock is ahead of ours, in ms.
 *
 * The `Date` of the answer says it. Without one, a matching nonce proves that the token was issued during this sign-in, so `iat` is a reading of the server's
 * clock; a token without a nonce proves nothing and corrects nothing.
 * @throws ProtocolError `invalid_id_token` (`iat`) when the correction would be beyond 48 hours.
 */
export function measureSkew({ iat }: IdTokenClaims, { nonce, now, serverDate }: IdTokenExpectation): number {
  if (serverDate !== undefined) return serverDate - now
  const difference = Math.round(iat * SECOND) - now
  if (nonce === undefined || Math.abs(difference) <= UNREMARKABLE) return 0
  if (Math.abs(difference) > LIMIT) throw invalidIdToken('iat', 'within 48 hours of now')
  return difference
}

/**
 * Checks `exp`, `iat` and `nbf` (OpenID Connect Core section 3.1.3.7 rules 9 and 10, RFC 7519 section 4.1.5) against the corrected clock.
 * @throws ProtocolError `invalid_id_token`.
 */
export function requireTimes(claims: IdTokenClaims, now: number): void {
  const [exp, iat] = [claims.exp * SECOND, claims.iat * SECOND]
  const nbf = typeof claims['nbf'] === 'number' ? claims['nbf'] * SECOND : iat
  if (exp <= iat || exp - iat > LIMIT) throw invalidIdToken('exp', 'after iat, by 48 hours at most')
  if (exp <= now - TOLERANCE) throw invalidIdToken('exp', 'in the future')
  if (iat > now + TOLERANCE) throw invalidIdToken('iat', 'in the past')
  if (iat < now - LIMIT) throw invalidIdToken('iat', 'at most 48 hours old')
  if (nbf > now + TOLERANCE) throw invalidIdToken('nbf', 'in the past')
}
