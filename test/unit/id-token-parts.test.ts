/** Parts of an ID token: header, payload and what was signed. */
import { describe, expect, it } from 'vitest'
import { parseIdToken } from '../support/internals'
import { rejection } from '../support/settle'

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const tokenOf = (header: unknown, payload: unknown = { sub: '1' }) =>
  `${encoded(header)}.${encoded(payload)}.${encoded('signature')}`

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
    expect(await rejection(() => parseIdToken(tokenOf(header)))).toMatchObject({
      code: 'invalid_id_token',
      path,
    })
  })

  it('are three, in base64url', async () => {
    const [header, payload, signature] = tokenOf(HEADER).split('.')
    for (const [token, path] of [
      [`${header}.${payload}`, 'id_token'],
      [`${header}.${payload}.${signature}.`, 'id_token'],
      [`${header}.*.${signature}`, 'payload'],
      [`${header}.${payload}.*`, 'signature'],
    ])
      expect(await rejection(() => parseIdToken(String(token)))).toMatchObject({
        code: 'invalid_id_token',
        path,
      })
  })
})
