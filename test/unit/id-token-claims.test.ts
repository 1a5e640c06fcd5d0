/** Claims and times of an ID token: the claim that is rejected, and what is reported about each. */
import { describe, expect, it } from 'vitest'
import type { Check } from 'foyer-sdk'
import { type ClaimExpectation, requireClaims, requireTimes } from '../support/internals'
import { rejection } from '../support/settle'
import { ACCESS_TOKEN, CLIENT_ID, ISSUER, NONCE, USER_ID } from '../support/token-issuer'

const NOW = 1_700_000_000_000
const SECONDS = NOW / 1000
const HOUR = 3600

const EXPECTED: ClaimExpectation = {
  issuer: ISSUER,
  clientId: CLIENT_ID,
  nonce: NONCE,
  accessToken: ACCESS_TOKEN,
  now: NOW,
}
const CLAIMS = { iss: ISSUER, sub: USER_ID, aud: CLIENT_ID, exp: SECONDS + HOUR, iat: SECONDS, nonce: NONCE }

/** The failed claim, or `valid`. */
async function resultOf(check: () => unknown): Promise<string> {
  const error = await rejection(check)
  return error ? String(Reflect.get(Object(error), 'path')) : 'valid'
}

const claimsResult = (claims: object, expected: Partial<ClaimExpectation> = {}) =>
  resultOf(() => requireClaims({ ...CLAIMS, ...claims }, { ...EXPECTED, ...expected }, []))

describe('the nonce of an ID token', () => {
  it.each([
    ['as sent', NONCE, NONCE, 'valid', 'valid'],
    ['of another sign-in', 'another', NONCE, 'nonce', 'nonce'],
    ['that is missing', undefined, NONCE, 'nonce', 'valid'],
    ['that is no text', 7, NONCE, 'nonce', 'nonce'],
    ['that was not sent', NONCE, undefined, 'nonce', 'valid'],
    ['neither sent nor there', undefined, undefined, 'valid', 'valid'],
  ])('%s', async (...[, nonce, sent, atSignIn, atRefresh]) => {
    expect(await claimsResult({ nonce }, { nonce: sent })).toBe(atSignIn)
    expect(await claimsResult({ nonce }, { nonce: sent, isRefresh: true })).toBe(atRefresh)
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
    ['valid', { aud: [CLIENT_ID], azp: CLIENT_ID, nbf: SECONDS }],
  ])('%s results from %o', async (claim, claims) => {
    expect(await claimsResult(claims)).toBe(claim)
  })

  it.each([
    ['aud', {}, {}, { result: 'passed', expected: CLIENT_ID, got: CLIENT_ID }],
    ['nonce', { nonce: undefined }, { nonce: undefined }, { result: 'absent', expected: 'absent' }],
    ['nonce', {}, {}, { result: 'passed', expected: 'as sent', got: '[secret]' }],
  ])('%s is reported with its value, unless it is secret: %o', (...[name, claims, expected, report]) => {
    const checks: Check[] = []
    requireClaims({ ...CLAIMS, ...claims }, { ...EXPECTED, ...expected }, checks)
    expect(checks.find(({ check }) => check === name)).toEqual({ check: name, ...report })
  })
})

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
])('an ID token that %s: %o %s', async (_, claims, expected) => {
  expect(await resultOf(() => requireTimes({ ...CLAIMS, ...claims }, NOW))).toBe(expected)
})
