/** Correction of a wrong clock, by the issue of an ID token and by the date of a response. */
import { expect, it } from 'vitest'
import type { IdTokenClaims } from 'foyer-sdk'
import { measureSkew } from '../support/internals'
import { ACCESS_TOKEN, CLIENT_ID, ISSUER, NONCE } from '../support/token-issuer'

const SECONDS = 1_700_000_000
const HOUR = 3600
/** Sign-in with a nonce, sign-in without one, and refresh: only the second is not bound. */
const BOUND = { nonce: NONCE }
const UNBOUND = { isRefresh: false }
const REFRESH = { isRefresh: true }

interface Case {
  /** Issue of the token, in s ahead of this clock. */
  ahead: number
  /** Date of the response, in s ahead of this clock. */
  date?: number
  lifetime?: number
}

/** Correction in s, or the claim that is rejected. */
function correction(binding: object, { ahead, date, lifetime = HOUR }: Case): number | string {
  const claims = { iat: SECONDS + ahead, exp: SECONDS + ahead + lifetime } as IdTokenClaims
  const expected = {
    issuer: ISSUER,
    clientId: CLIENT_ID,
    accessToken: ACCESS_TOKEN,
    now: SECONDS * 1000,
    ...binding,
  }
  try {
    return (
      measureSkew(claims, {
        ...expected,
        ...(date !== undefined && { serverDate: (SECONDS + date) * 1000 }),
      }) / 1000
    )
  } catch (error) {
    return String(Reflect.get(Object(error), 'path'))
  }
}

it.each<[string, object, Case, number | string]>([
  ['is none for an issue a minute ahead', BOUND, { ahead: 60 }, 0],
  ['is that of an issue further ahead', BOUND, { ahead: 61 }, 61],
  ['is none for an issue five minutes back', BOUND, { ahead: -300 }, 0],
  ['is that of an issue further back', BOUND, { ahead: -301 }, -301],
  ['is 48 hours at most', BOUND, { ahead: 48 * HOUR }, 48 * HOUR],
  ['is 48 hours back at most', BOUND, { ahead: -48 * HOUR }, -48 * HOUR],
  ['beyond 48 hours is refused', BOUND, { ahead: 48 * HOUR + 1 }, 'iat'],
  ['beyond 48 hours back is refused', BOUND, { ahead: -48 * HOUR - 1 }, 'iat'],
  [
    'is made by a token that is valid for 48 hours at most',
    BOUND,
    { ahead: HOUR, lifetime: 48 * HOUR },
    HOUR,
  ],
  ['by a token that is valid for longer is refused', BOUND, { ahead: HOUR, lifetime: 48 * HOUR + 1 }, 'iat'],
  ['is of any size during a session', REFRESH, { ahead: 100 * HOUR }, 100 * HOUR],
  ['is none for half a minute during a session', REFRESH, { ahead: 30 }, 0],
  ['is none by a token that nothing binds to the sign-in', {}, { ahead: HOUR }, 0],
  ['is none by a token that nothing binds, said so', UNBOUND, { ahead: HOUR }, 0],
  ['follows a date that agrees with this clock', BOUND, { ahead: HOUR, date: 300 }, 300],
  [
    'follows a date that agrees with the token, before it',
    BOUND,
    { ahead: HOUR, date: HOUR - 300 },
    HOUR - 300,
  ],
  [
    'follows a date that agrees with the token, after it',
    BOUND,
    { ahead: HOUR, date: HOUR + 300 },
    HOUR + 300,
  ],
  ['ignores a date that differs from both', BOUND, { ahead: HOUR, date: 300.001 }, HOUR],
  ['ignores a date that differs from both where they agree', BOUND, { ahead: 0, date: -9000 }, 0],
  ['follows any date if nothing binds the token', UNBOUND, { ahead: HOUR, date: -9000 }, -9000],
])('the correction of a clock %s', (...[, binding, given, expected]) => {
  expect(correction(binding, given)).toBe(expected)
})
