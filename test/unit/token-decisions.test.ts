/** Decisions about tokens: lifetimes in a response, a refresh of the same player, parts of an ID token, and usable keys. */
import { Secret } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { errorFromResponse } from '../../src/tokens/accounts/send-account-request'
import { parseIdToken } from '../../src/tokens/id-token/parse-id-token'
import { readKeys, selectKeys } from '../../src/tokens/id-token/verify-signature'
import { applyRefresh } from '../../src/tokens/session/refresh-policy'
import type { SessionRecord } from '../../src/tokens/session/session-record'
import { decodeTokenSet, splitScopes } from '../../src/tokens/token-set'
import type { VerifiedTokens } from '../../src/tokens/requests/token-endpoint'
import { rejection } from '../support/settle'
import { USER_ID } from '../support/token-issuer'

const NOW = 1_700_000_000_000
const YEAR = 31_536_000

/** Code and path of a rejection, or `accepted`. */
async function resultOf(work: () => unknown): Promise<string> {
  const error = await rejection(work)
  return error ? `${String(Reflect.get(Object(error), 'code'))} ${String(Reflect.get(Object(error), 'path'))}` : 'accepted'
}

describe('a token response', () => {
  const BODY = { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', scope: 'openid' }
  const decode = (changes: object, context: object = {}) =>
    decodeTokenSet({ ...BODY, ...changes }, { requested: ['identify'], now: NOW, ...context })

  it.each([
    [60, 60],
    [0, 0],
    [1.5, 1.5],
    ['3600', 3600],
    [undefined, 3600],
    [YEAR, YEAR],
    [YEAR + 1, YEAR],
    ['9999999999', YEAR],
  ])('with expires_in %j lasts for %d seconds', (expiresIn, seconds) => {
    expect(decode({ expires_in: expiresIn }).expiresAt).toBe(NOW + seconds * 1000)
  })

  it.each([-1, Number.POSITIVE_INFINITY, Number.NaN, '', ' 5', '-1', '1e3', '12345678901', null, true, [60], {}])(
    'with expires_in %j is malformed',
    async (expiresIn) => {
      expect(await resultOf(() => decode({ expires_in: expiresIn }))).toBe('malformed_response expires_in')
    },
  )

  it.each([
    ['access_token', undefined],
    ['access_token', ''],
    ['access_token', 'a b'],
    ['token_type', 'mac'],
    ['token_type', 'Bearer x'],
    ['token_type', 'xBearer'],
    ['refresh_token', 'a b'],
    ['refresh_token', null],
    ['id_token', 7],
    ['id_token', ' a.b.c'],
    ['id_token', 'a.b.c '],
    ['scope', 'a\nb'],
  ])('with the %s %j is malformed', async (field, value) => {
    expect(await resultOf(() => decode({ [field]: value }))).toBe(`malformed_response ${field}`)
  })

  it('has the requested scopes if it names none, and no field that it did not have', () => {
    const { refresh_token: _, scope: __, ...least } = BODY
    const tokens = decodeTokenSet(least, { requested: ['identify'], now: NOW })
    expect(tokens).toEqual({ accessToken: new Secret('a'), tokenType: 'Bearer', expiresAt: NOW + 3_600_000, scopes: ['identify'] })
    expect(Object.keys(tokens)).not.toContain('refreshToken')
    expect(decode({ scope: 'a  b a ', token_type: 'bearer' }).scopes).toEqual(['a', 'b'])
    expect(splitScopes('')).toEqual([])
  })

  it('may have an ID token', async () => {
    expect(await resultOf(() => decode({}, { requested: ['openid'] }))).toBe('accepted')
    expect(await resultOf(() => decode({ id_token: 'a.b.c' }, { requested: ['openid'] }))).toBe('accepted')
  })
})

/** Tokens of a session. */
const tokens = (changes: object = {}) => ({
  accessToken: new Secret('old'),
  refreshToken: new Secret('r1'),
  tokenType: 'Bearer',
  expiresAt: 1,
  scopes: ['openid', 'email'],
  ...changes,
})

const recordWith = (claims?: object) =>
  ({ id: 's', epoch: 4, userId: USER_ID, obtainedAt: 1, attempt: { at: 1 }, tokens: tokens({ claims }) }) as unknown as SessionRecord
const refreshed = (changes: object, claims?: object) =>
  ({ tokens: { ...tokens(changes), refreshToken: new Secret('r2'), claims }, obtainedAt: 2 }) as unknown as VerifiedTokens

const times = (before: unknown, after: unknown) => () =>
  applyRefresh(recordWith({ auth_time: before }), refreshed({}, { sub: USER_ID, auth_time: after }))

describe('a refresh', () => {
  it('replaces the tokens, counts, and ends the attempt', () => {
    const record = applyRefresh(recordWith(), refreshed({ scopes: ['openid'] }))
    expect(record).toMatchObject({ id: 's', epoch: 5, obtainedAt: 2, attempt: undefined })
    expect([record.tokens.refreshToken?.reveal(), record.tokens.scopes]).toEqual(['r2', ['openid']])
    expect(applyRefresh(recordWith(), refreshed({ scopes: [] })).tokens.scopes).toEqual(['openid', 'email'])
  })

  it('is of the same player', async () => {
    expect(await resultOf(() => applyRefresh(recordWith(), refreshed({}, { sub: USER_ID })))).toBe('accepted')
    expect(await resultOf(() => applyRefresh(recordWith(), refreshed({}, { sub: '1' })))).toBe('invalid_id_token sub')
  })

  it.each([
    [1000, 1000, 'accepted'],
    [1000, 1001, 'invalid_id_token auth_time'],
    [undefined, 1000, 'accepted'],
    [1000, undefined, 'accepted'],
    ['1000', 1000, 'accepted'],
    [1000, '1001', 'accepted'],
  ])('after a sign-in at %j may report one at %j: %s', async (before, after, expected) => {
    expect(await resultOf(times(before, after))).toBe(expected)
  })
})

const encoded = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const tokenOf = (header: unknown, payload: unknown = { sub: '1' }) => `${encoded(header)}.${encoded(payload)}.${encoded('signature')}`

describe('the parts of an ID token', () => {
  const HEADER = { alg: 'RS256', kid: 'k1', typ: 'JWT' }

  it('are the header, the payload, and what was signed', () => {
    const token = tokenOf(HEADER)
    const { header, payload, signed } = parseIdToken(token)
    expect(header).toEqual({ alg: 'RS256', kid: 'k1' })
    expect(Buffer.from(payload).toString()).toBe('{"sub":"1"}')
    expect(Buffer.from(signed).toString()).toBe(token.split('.').slice(0, 2).join('.'))
    expect(parseIdToken(tokenOf({ alg: 'ES256', typ: 'jwt' })).header).toEqual({ alg: 'ES256' })
  })

  it.each([
    ['header.kid', { ...HEADER, kid: 7 }],
    ['header.kid', { ...HEADER, kid: null }],
    ['header.alg', { ...HEADER, alg: 'none' }],
    ['header.alg', { ...HEADER, alg: ['RS256'] }],
    ['header.alg', { kid: 'k1' }],
    ['header.typ', { ...HEADER, typ: 'at+jwt' }],
    ['header.typ', { ...HEADER, typ: null }],
    ['header.typ', { ...HEADER, typ: ['JWT'] }],
    ['header.crit', { ...HEADER, crit: [] }],
    ['header', [HEADER]],
    ['header', 'no JSON'],
    ['header', '\u{FEFF}{}'],
  ])('are rejected for the %s of %j', async (path, header) => {
    expect(await resultOf(() => parseIdToken(tokenOf(header)))).toBe(`invalid_id_token ${path}`)
  })

  it('are three, in base64url', async () => {
    const [header, payload, signature] = tokenOf(HEADER).split('.')
    for (const [token, path] of [
      [`${header}.${payload}`, 'id_token'],
      [`${header}.${payload}.${signature}.`, 'id_token'],
      [`${header}.*.${signature}`, 'payload'],
      [`${header}.${payload}.*`, 'signature'],
    ])
      expect(await resultOf(() => parseIdToken(String(token)))).toBe(`invalid_id_token ${path}`)
  })
})

const modulus = (first: number, bytes = 256) => Buffer.from([first, ...Array.from({ length: bytes - 1 }, () => 1)]).toString('base64url')

const point = (bytes: number) => Buffer.alloc(bytes, 1).toString('base64url')

const usable = (key: unknown) => readKeys([key]).length === 1

describe('a published key', () => {
  const RSA = { kty: 'RSA', kid: 'k1', n: modulus(0x80), e: 'AQAB' }
  const EC = { kty: 'EC', kid: 'k2', crv: 'P-256', x: point(32), y: point(32) }

  it('is usable with 2048 bits and an exponent above one', () => {
    const moduli = [0x80, 0x7f, 0xff, 0].map((first) => usable({ ...RSA, n: modulus(first) }))
    expect(moduli).toEqual([true, false, true, false])
    expect(usable({ ...RSA, n: `AAAA${modulus(0x80, 258)}` })).toBe(true)
    expect(usable({ ...RSA, n: Buffer.alloc(300).toString('base64url') })).toBe(false)
    const exponents = ['AQAB', 'Ag', 'AQ', 'AA', 'AAAAAA', 'AAAC', '', '*'].map((e) => usable({ ...RSA, e }))
    expect(exponents).toEqual([true, true, false, false, false, true, false, false])
  })

  it('is usable with both coordinates of the curve', () => {
    const keys = [
      {},
      { x: point(31) },
      { y: point(33) },
      { x: [point(32)] },
      { y: [point(32)] },
      { x: undefined },
      { crv: 'P-384' },
      { kty: 'OKP' },
      { x: '*' },
    ]
    expect(keys.map((changes) => usable({ ...EC, ...changes }))).toEqual([true, false, false, false, false, false, false, false, false])
  })

  it.each([
    [{ use: 'sig' }, true],
    [{ use: 'enc' }, false],
    [{ key_ops: ['verify'] }, true],
    [{ key_ops: ['sign', 'verify'] }, true],
    [{ key_ops: ['sign'] }, false],
    [{ key_ops: 'verify' }, false],
    [{ alg: 'RS256' }, true],
    [{ alg: 'RS512' }, false],
    [{ alg: 'ES256' }, false],
    [{ kid: undefined }, true],
    [{ kid: 7 }, false],
    [{ n: 7 }, false],
    [{ e: 7 }, false],
    [{ kty: 'oct' }, false],
  ])('with %j is usable: %s', (changes, expected) => {
    expect(usable({ ...RSA, ...changes })).toBe(expected)
  })

  it('is rebuilt from its public members, and what is no key is skipped', () => {
    expect(readKeys([null, 'x', { ...RSA, d: 'private' }, EC])).toEqual([
      { kid: 'k1', alg: 'RS256', key: { kty: 'RSA', n: RSA.n, e: RSA.e } },
      { kid: 'k2', alg: 'ES256', key: { kty: 'EC', crv: 'P-256', x: EC.x, y: EC.y } },
    ])
  })

  it('is a candidate by algorithm and id, or by algorithm alone, four at most', () => {
    const keys = readKeys([RSA, EC, ...Array.from({ length: 5 }, () => ({ ...RSA, kid: 'k3' }))])
    const count = (alg: string, kid?: string) => selectKeys(keys, { alg, kid }).length
    expect([count('RS256', 'k1'), count('RS256', 'k2'), count('RS256', 'k3'), count('RS256'), count('ES256'), count('HS256')]).toEqual([
      1, 0, 4, 4, 1, 0,
    ])
  })
})

describe('an error response for an account', () => {
  it.each([
    [200, {}, 'none'],
    [200, { error: 'invalid_grant' }, 'AuthorizationError invalid_grant'],
    [400, { error: 'invalid_grant' }, 'AuthorizationError invalid_grant'],
    [401, { error: 'invalid_client' }, 'AuthorizationError invalid_client'],
    [429, { error: 'invalid_grant' }, 'ApiError http_429'],
    [500, { error: 'invalid_grant' }, 'ApiError http_500'],
    [400, { error: 7 }, 'ApiError http_400'],
    [400, { code: 530_007 }, 'ApiError wrong_client_secret'],
    [300, {}, 'ApiError http_300'],
  ])('with status %i and %j is %s', (status, body, expected) => {
    const error = errorFromResponse({ status, body, date: undefined, emulatorRule: null }, 'POST /oauth2/token')
    expect(error ? `${error.name} ${error.code}` : 'none').toBe(expected)
  })
})
