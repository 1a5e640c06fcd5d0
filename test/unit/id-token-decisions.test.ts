/** Decisions about an ID token and its keys: claims, times, the clock's correction, and the cache of keys. */
import { describe, expect, it } from 'vitest'
import type { Check } from '../../src/foundation/log-entry'
import { type IdTokenExpectation, requireClaims, measureSkew, requireTimes } from '../../src/tokens/id-token/require-claims'
import { afterFailure, afterFetch, afterMiss, isUsable, type JwksCache, nextStep } from '../../src/tokens/id-token/remote-jwks'
import type { IdTokenClaims } from '../../src/tokens/token-set'
import { rejection } from '../support/settle'
import { ACCESS_TOKEN, CLIENT_ID, createKey, ISSUER, NONCE, TokenIssuer, USER_ID } from '../support/token-issuer'

const NOW = 1_700_000_000_000
const SECONDS = NOW / 1000
const HOUR = 3600

const EXPECTED: IdTokenExpectation = { issuer: ISSUER, clientId: CLIENT_ID, nonce: NONCE, accessToken: ACCESS_TOKEN, now: NOW }
const CLAIMS = { iss: ISSUER, sub: USER_ID, aud: CLIENT_ID, exp: SECONDS + HOUR, iat: SECONDS, nonce: NONCE }

/** The failed claim, or `valid`. */
async function resultOf(check: () => unknown): Promise<string> {
  const error = await rejection(check)
  return error ? String(Reflect.get(Object(error), 'path')) : 'valid'
}

const claimsResult = (claims: object, expected: Partial<IdTokenExpectation> = {}) =>
  resultOf(() => requireClaims({ ...CLAIMS, ...claims }, { ...EXPECTED, ...expected }, []))

describe('the nonce of an ID token', () => {
  it.each([
    ['as sent', NONCE, NONCE, 'valid'],
    ['of another sign-in', 'another', NONCE, 'nonce'],
    ['that is missing', undefined, NONCE, 'nonce'],
    ['that is no text', 7, NONCE, 'nonce'],
    ['that was not sent', NONCE, undefined, 'nonce'],
    ['neither sent nor there', undefined, undefined, 'valid'],
  ])('at a sign-in, %s', async (...[, nonce, sent, expected]) => {
    expect(await claimsResult({ nonce }, { nonce: sent })).toBe(expected)
  })

  it.each([
    ['as at the sign-in', NONCE, NONCE, 'valid'],
    ['of another sign-in', 'another', NONCE, 'nonce'],
    ['that is missing', undefined, NONCE, 'valid'],
    ['if the first one is unknown', NONCE, undefined, 'valid'],
    ['if there was none', undefined, undefined, 'valid'],
  ])('at a refresh, %s', async (...[, nonce, sent, expected]) => {
    expect(await claimsResult({ nonce }, { nonce: sent, isRefresh: true })).toBe(expected)
  })
})

describe('the claims of an ID token', () => {
  it.each([
    ['iss', { iss: 'https://other.test' }],
    ['aud', { aud: 'another' }],
    ['aud', { aud: [CLIENT_ID, 'another'] }],
    ['aud', { aud: ['another'] }],
    ['aud', { aud: [] }],
    ['azp', { azp: 'another' }],
    ['exp', { exp: '1' }],
    ['iat', { iat: undefined }],
    ['nbf', { nbf: '1' }],
    ['sub', { sub: 'ada' }],
    ['at_hash', { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['at_hash', { at_hash: 7 }],
  ])('%s as in %o is rejected', async (claim, claims) => {
    expect(await claimsResult(claims)).toBe(claim)
  })

  it('may name the client in a list of one, as authorized party, and a time before which they are invalid', async () => {
    expect(await claimsResult({ aud: [CLIENT_ID], azp: CLIENT_ID, nbf: SECONDS })).toBe('valid')
  })

  it('are reported with their values, except secret ones', () => {
    const checks: Check[] = []
    requireClaims({ ...CLAIMS, nonce: undefined }, { ...EXPECTED, nonce: undefined }, checks)
    const reported = new Map(checks.map((check) => [check.check, check]))
    expect(reported.get('aud')).toEqual({ check: 'aud', result: 'passed', expected: CLIENT_ID, got: CLIENT_ID })
    expect(reported.get('nonce')).toEqual({ check: 'nonce', result: 'absent', expected: 'absent' })
    const again: Check[] = []
    requireClaims(CLAIMS, EXPECTED, again)
    expect(again.find(({ check }) => check === 'nonce')).toEqual({ check: 'nonce', result: 'passed', expected: 'as sent', got: '[secret]' })
  })
})

const timesResult = (claims: object) => resultOf(() => requireTimes({ ...CLAIMS, ...claims }, NOW))

describe('the times of an ID token', () => {
  it.each([
    ['ends a second after its issue', { iat: SECONDS, exp: SECONDS + 1 }, 'valid'],
    ['ends when it is issued', { iat: SECONDS, exp: SECONDS }, 'exp'],
    ['ended 59 s ago', { iat: SECONDS - HOUR, exp: SECONDS - 59 }, 'valid'],
    ['ended 60 s ago', { iat: SECONDS - HOUR, exp: SECONDS - 60 }, 'exp'],
    ['is issued in 60 s', { iat: SECONDS + 60 }, 'valid'],
    ['is issued in 61 s', { iat: SECONDS + 61 }, 'iat'],
    ['was issued 48 h ago', { iat: SECONDS - 48 * HOUR }, 'valid'],
    ['was issued more than 48 h ago', { iat: SECONDS - 48 * HOUR - 1 }, 'iat'],
    ['is valid in 60 s', { nbf: SECONDS + 60 }, 'valid'],
    ['is valid in 61 s', { nbf: SECONDS + 61 }, 'nbf'],
  ])('%s', async (_, claims, expected) => {
    expect(await timesResult(claims)).toBe(expected)
  })
})

const skew = (ahead: number, expected: Partial<IdTokenExpectation> = {}, lifetime = HOUR) => {
  const claims = { ...CLAIMS, iat: SECONDS + ahead, exp: SECONDS + ahead + lifetime } as unknown as IdTokenClaims
  return measureSkew(claims, { ...EXPECTED, ...expected })
}

describe('the correction of the clock', () => {
  it('is none for an issue up to a minute ahead or five minutes back', () => {
    expect([60, 61, -300, -301].map((ahead) => skew(ahead))).toEqual([0, 61_000, 0, -301_000])
  })

  it('is 48 hours at most, by a token that is valid for 48 hours at most', async () => {
    expect([skew(48 * HOUR), skew(-48 * HOUR), skew(HOUR, {}, 48 * HOUR)]).toEqual([172_800_000, -172_800_000, 3_600_000])
    for (const wrong of [() => skew(48 * HOUR + 1), () => skew(-48 * HOUR - 1), () => skew(HOUR, {}, 48 * HOUR + 1)])
      expect(await resultOf(wrong)).toBe('iat')
  })

  it('is of any size during a session', () => {
    expect(skew(100 * HOUR, { isRefresh: true, nonce: undefined })).toBe(360_000_000)
    expect(skew(30, { isRefresh: true, nonce: undefined })).toBe(0)
  })

  it('is none by a token that is not bound to the sign-in', () => {
    expect(skew(HOUR, { nonce: undefined })).toBe(0)
    expect(skew(HOUR, { nonce: undefined, isRefresh: false })).toBe(0)
  })

  it('follows a response date that agrees with the clock or with the token', () => {
    expect(skew(HOUR, { serverDate: NOW + 300_000 })).toBe(300_000)
    expect(skew(HOUR, { serverDate: NOW + 3_300_000 })).toBe(3_300_000)
    expect(skew(HOUR, { serverDate: NOW + 3_900_000 })).toBe(3_900_000)
  })

  it('ignores a response date that differs from both', () => {
    expect(skew(HOUR, { serverDate: NOW + 300_001 })).toBe(3_600_000)
    expect(skew(0, { serverDate: NOW - 9_000_000 })).toBe(0)
  })

  it('follows any response date if the token is not bound', () => {
    expect(skew(HOUR, { nonce: undefined, serverDate: NOW - 9_000_000 })).toBe(-9_000_000)
  })
})

describe('the cache of keys', () => {
  const MINUTE = 60_000
  const DAY = 1440 * MINUTE
  const cache = (changes: Partial<JwksCache>): JwksCache => ({ keys: [], fetchedAt: NOW, ...changes })
  const steps = (changes: Partial<JwksCache>) => [true, false].map((known) => nextStep(cache(changes), { known, now: NOW, kid: 'x' }))

  it.each([
    ['is fetched first', { fetchedAt: undefined as unknown as number }, ['fetch', 'fetch']],
    ['is used for ten minutes, and fetched for an unknown key', { fetchedAt: NOW - 10 * MINUTE + 1 }, ['use', 'fetch']],
    ['is fetched again after ten minutes', { fetchedAt: NOW - 10 * MINUTE }, ['fetch', 'fetch']],
    ['is fetched again if the clock was set back', { fetchedAt: NOW + 10 * MINUTE }, ['fetch', 'fetch']],
    ['is not searched twice in 30 s', { searchedAt: NOW - 29_999, missing: ['x'] }, ['use', 'none']],
    ['may lack a key that was not searched', { searchedAt: NOW - 29_999, missing: ['', 'y'] }, ['use', 'unavailable']],
    ['is searched again after 30 s', { searchedAt: NOW - 30_000 }, ['use', 'fetch']],
    ['is not fetched within 30 s of a failure', { failedAt: NOW - 29_999 }, ['use', 'unavailable']],
    ['is fetched 30 s after a failure', { failedAt: NOW - 30_000 }, ['use', 'fetch']],
    ['is used while a fetch fails', { fetchedAt: NOW - DAY + 1, failedAt: NOW }, ['use', 'unavailable']],
    ['is not used a day later', { fetchedAt: NOW - DAY, failedAt: NOW }, ['fetch', 'fetch']],
    ['is fetched after ten minutes despite a search', { fetchedAt: NOW - 10 * MINUTE, searchedAt: NOW }, ['fetch', 'fetch']],
  ])('%s', (_, changes, expected) => {
    expect(steps(changes)).toEqual(expected)
  })

  it('is usable for a day', () => {
    expect([DAY - 1, DAY].map((age) => isUsable(cache({ fetchedAt: NOW - age }), NOW))).toEqual([true, false])
  })

  it('remembers the last hundred missing key ids, and tokens without one', () => {
    let missing = afterMiss(cache({ searchedAt: NOW }))
    expect(nextStep(missing, { known: false, now: NOW })).toBe('none')
    for (let i = 0; i < 100; i++) missing = afterMiss(missing, `junk-${i}`)
    expect(['junk-0', 'junk-99', ''].map((kid) => nextStep(missing, { known: false, now: NOW, kid }))).toEqual([
      'none',
      'none',
      'unavailable',
    ])
  })

  it('records a search only while it is fresh, and a failure until the next success', () => {
    const [first, again] = [afterFetch({ keys: [] }, [], NOW), afterFetch(cache({ failedAt: NOW }), [], NOW + 1)]
    expect(first).toEqual({ keys: [], fetchedAt: NOW, missing: [] })
    expect(again).toEqual({ keys: [], fetchedAt: NOW + 1, searchedAt: NOW + 1 })
    expect(afterFetch(again, [], NOW + 10 * MINUTE + 1)).toMatchObject({ searchedAt: NOW + 1 })
    expect(afterFetch(afterMiss(again, 'x'), [], NOW + 2)).toEqual({ keys: [], fetchedAt: NOW + 2, searchedAt: NOW + 2 })
    expect(afterFetch(afterMiss(again, 'x'), [], NOW + 10 * MINUTE + 1)).toMatchObject({ missing: ['x'] })
    expect(afterFailure(again, NOW + 2)).toEqual({ ...again, failedAt: NOW + 2 })
  })
})

describe('keys that are expected to be needed', () => {
  it('are fetched once in ten minutes, and used by the next token', async () => {
    const key = await createKey('ES256', 'ec')
    const issuer = new TokenIssuer(key)
    const keys = issuer.keySet()
    await Promise.all([keys.prefetch(), keys.prefetch()])
    await keys.prefetch()
    expect(await keys.find({ alg: 'ES256', kid: 'ec' })).toHaveLength(1)
    expect(issuer.requests).toHaveLength(1)
    issuer.clock.advance(600_000)
    await keys.prefetch()
    expect(issuer.requests).toHaveLength(2)
  })

  it('are fetched again by the token if that failed', async () => {
    const key = await createKey('ES256', 'ec')
    const issuer = new TokenIssuer(key)
    const keys = issuer.keySet()
    issuer.answer = () => Promise.reject(new TypeError('offline'))
    await keys.prefetch()
    issuer.answer = undefined
    expect(await keys.find({ alg: 'ES256', kid: 'ec' })).toHaveLength(1)
    expect(issuer.requests).toHaveLength(2)
  })

  it.each([
    ['not an array', () => Response.json({ keys: {} })],
    ['an error response', () => Response.json({ keys: [] }, { status: 500 })],
  ])('are unavailable if the response is %s', async (_, respond) => {
    const issuer = new TokenIssuer(await createKey('ES256', 'ec'))
    issuer.answer = async () => respond()
    await expect(issuer.keySet().find({ alg: 'ES256' })).rejects.toMatchObject({
      code: 'keys_unavailable',
      retryable: true,
      cause: { code: 'malformed_response', path: 'keys' },
    })
  })
})
