/** Whether an ID token is of this hour, on machines whose own clock may be wrong by hours. */
import type { IdTokenExpectation } from './claims'
import { invalidIdToken } from './error'
import type { IdTokenClaims } from '../token-set'

const SECOND = 1000
const HOUR = 3_600_000

/** What two honest clocks may differ by. */
const TOLERANCE = 60 * SECOND
/** How old a token may be without saying anything about our clock. */
const UNREMARKABLE = 300 * SECOND
/** The greatest age of a token and the largest correction; and the longest life of a token that is to correct a clock. */
const LIMIT = 48 * HOUR

/**
 * How far the server's clock is ahead of ours, in ms.
 *
 * There are three witnesses. Our own clock may be wrong by hours. The `Date` of the answer may come from a proxy, and nobody signs it. `iat` is
 * signed, and where the token is bound to this sign-in (by its nonce, or as the answer to our own request to renew) it was issued just now.
 * So `Date` decides where one of the other two agrees with it, or where nothing binds the token. A `Date` that is alone against both is
 * ignored, as if it could not be read: then a bound `iat` corrects our clock, and an unbound one corrects nothing.
 * @throws ProtocolError `invalid_id_token` (`iat`) when the correction, or the life of the token that asks for it, would be beyond 48 hours.
 */
export function measureSkew({ iat, exp }: IdTokenClaims, { nonce, isRefresh, now, serverDate }: IdTokenExpectation): number {
  const issued = Math.round(iat * SECOND)
  const isBound = nonce !== undefined || isRefresh === true
  if (serverDate !== undefined && (!isBound || isClose(serverDate, now) || isClose(serverDate, issued))) return serverDate - now
  const difference = issued - now
  if (!isBound || (difference >= -UNREMARKABLE && difference <= TOLERANCE)) return 0
  // The clock of a session that goes on may have been set by years meanwhile.
  if (isRefresh) return difference
  if (Math.abs(difference) > LIMIT || (exp - iat) * SECOND > LIMIT) throw invalidIdToken('iat', 'within 48 h of now')
  return difference
}

const isClose = (date: number, other: number): boolean => Math.abs(date - other) <= UNREMARKABLE

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
