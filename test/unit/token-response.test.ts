/** Decoding of a token response: lifetimes, malformed fields, and what may be missing. */
import { Secret } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { decodeTokenSet, splitScopes } from '../support/internals'
import { codeOf, rejection } from '../support/settle'

const NOW = 1_700_000_000_000
const YEAR = 31_536_000

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

  it.each([
    -1,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    '',
    ' 5',
    '-1',
    '1e3',
    '12345678901',
    null,
    true,
    [60],
    {},
  ])('with expires_in %j is malformed', async (expiresIn) => {
    expect(await rejection(() => decode({ expires_in: expiresIn }))).toMatchObject({
      code: 'malformed_response',
      path: 'expires_in',
    })
  })

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
    expect(await rejection(() => decode({ [field]: value }))).toMatchObject({
      code: 'malformed_response',
      path: field,
    })
  })

  it('has the requested scopes if it names none, and no field that it did not have', () => {
    const { refresh_token: _, scope: __, ...least } = BODY
    const tokens = decodeTokenSet(least, { requested: ['identify'], now: NOW })
    expect(tokens).toEqual({
      accessToken: new Secret('a'),
      tokenType: 'Bearer',
      expiresAt: NOW + 3_600_000,
      scopes: ['identify'],
    })
    expect(Object.keys(tokens)).not.toContain('refreshToken')
    expect(decode({ scope: 'a  b a ', token_type: 'bearer' }).scopes).toEqual(['a', 'b'])
    expect(splitScopes('')).toEqual([])
  })

  it('may have an ID token', async () => {
    for (const idToken of [{}, { id_token: 'a.b.c' }])
      expect(await codeOf(() => decode(idToken, { requested: ['openid'] }))).toBeUndefined()
  })
})
