/** Published keys: which ones are usable, and which may have signed a token. */
import { describe, expect, it } from 'vitest'
import { readKeys, selectKeys } from '../support/internals'

const modulus = (first: number, bytes = 256) =>
  Buffer.from([first, ...Array.from({ length: bytes - 1 }, () => 1)]).toString('base64url')
const point = (bytes: number) => Buffer.alloc(bytes, 1).toString('base64url')

const RSA = { kty: 'RSA', kid: 'k1', n: modulus(0x80), e: 'AQAB' }
const EC = { kty: 'EC', kid: 'k2', crv: 'P-256', x: point(32), y: point(32) }

describe('a published key', () => {
  it.each<[object, boolean]>([
    [{ n: modulus(0x80) }, true],
    [{ n: modulus(0x7f) }, false],
    [{ n: modulus(0xff) }, true],
    [{ n: modulus(0) }, false],
    [{ n: `AAAA${modulus(0x80, 258)}` }, true],
    [{ n: Buffer.alloc(300).toString('base64url') }, false],
    [{ e: 'AQAB' }, true],
    [{ e: 'Ag' }, true],
    [{ e: 'AQ' }, false],
    [{ e: 'AA' }, false],
    [{ e: 'AAAAAA' }, false],
    [{ e: 'AAAC' }, true],
    [{ e: '' }, false],
    [{ e: '*' }, false],
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
  ])('of RSA with %j is usable: %s', (changes, expected) => {
    expect(readKeys([{ ...RSA, ...changes }])).toHaveLength(expected ? 1 : 0)
  })

  it.each<[object, boolean]>([
    [{}, true],
    [{ x: point(31) }, false],
    [{ y: point(33) }, false],
    [{ x: [point(32)] }, false],
    [{ y: [point(32)] }, false],
    [{ x: undefined }, false],
    [{ crv: 'P-384' }, false],
    [{ kty: 'OKP' }, false],
    [{ x: '*' }, false],
  ])('of a curve with %j is usable: %s', (changes, expected) => {
    expect(readKeys([{ ...EC, ...changes }])).toHaveLength(expected ? 1 : 0)
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
    expect([
      count('RS256', 'k1'),
      count('RS256', 'k2'),
      count('RS256', 'k3'),
      count('RS256'),
      count('ES256'),
      count('HS256'),
    ]).toEqual([1, 0, 4, 4, 1, 0])
  })
})
