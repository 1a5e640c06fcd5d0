/** Tokens that somebody pastes into the demo: decoded whatever they are, and shown as checked only after a check. */
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimLabel } from '../../demo/page/game/step-labels'
import { checkSignature, type SignatureCheck } from '../../demo/page/screens/token/check-signature'
import { MAX_TOKEN, readPasted } from '../../demo/page/screens/token/read-pasted'

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const tokenOf = (header: unknown, claims: unknown, signature = 'c2lnbmF0dXJl') =>
  [encoded(header), encoded(claims), signature].join('.')
/** Names as they are shown. */
const namesOf = (text: string) => {
  const pasted = readPasted(text)
  return pasted.kind === 'signed' ? Object.keys(pasted.claims) : [pasted.kind]
}

interface Signer {
  publicKey: JWK
  sign(header?: Record<string, unknown>): Promise<string>
}

async function signer(alg: string, kid?: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  return {
    publicKey: { ...(await exportJWK(publicKey)), ...(kid !== undefined && { kid }) },
    sign: (header = {}) =>
      new SignJWT({ sub: 'ada' })
        .setProtectedHeader({ alg, ...(kid !== undefined && { kid }), ...header })
        .sign(privateKey),
  }
}

const check = (token: string, text: string): Promise<SignatureCheck> => {
  const pasted = readPasted(token)
  if (pasted.kind !== 'signed') throw new Error(`It is ${pasted.kind}.`)
  return checkSignature(pasted.token, pasted.header, { origin: 'of the service', text })
}
const setOf = (...keys: JWK[]) => JSON.stringify({ keys })

describe('a pasted text', () => {
  it.each([
    ['as it is', (token: string) => token],
    ['with Bearer in front', (token: string) => `Bearer ${token}`],
    ['with quotes and spaces around it', (token: string) => `  "${token}"\n`],
    ['in several lines', (token: string) => token.replaceAll('.', '\n.\n')],
  ])('is read %s', (_, form) => {
    expect(readPasted(form(tokenOf({ alg: 'RS256' }, { sub: 'ada' })))).toMatchObject({
      kind: 'signed',
      header: { alg: 'RS256' },
      claims: { sub: 'ada' },
    })
  })

  it.each([
    ['is an opaque access token', 'kZ8w2.opaque', /three parts/],
    ['has claims that are no JSON', tokenOf({ alg: 'RS256' }, '{'), /no JSON object/],
    ['has a list as claims', tokenOf({ alg: 'RS256' }, []), /no JSON object/],
    ['has null as header', tokenOf(null, {}), /no JSON object/],
    [
      'has claims that are no UTF-8',
      `${encoded({ alg: 'RS256' })}.${Buffer.from([0x7b, 0x22, 0xff]).toString('base64url')}.`,
      /no JSON object/,
    ],
    ['is longer than any token', tokenOf({ alg: 'RS256' }, { a: 'x'.repeat(MAX_TOKEN) }), /longer than/],
    ['is deeply nested', tokenOf({ alg: 'RS256' }, '['.repeat(30_000)), /no JSON object/],
  ])('that %s is told apart', (_, text, reason) => {
    expect(readPasted(text)).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringMatching(reason) as string,
    })
  })

  it('with names of the language is shown with them, and changes no object', () => {
    const hostile = '{"__proto__":{"isAdmin":true},"constructor":"x","toString":1,"sub":"ada"}'
    expect(namesOf(tokenOf({ alg: 'RS256' }, hostile)).toSorted()).toEqual([
      '__proto__',
      'constructor',
      'sub',
      'toString',
    ])
    expect('isAdmin' in {}).toBe(false)
    for (const name of ['__proto__', 'constructor', 'toString']) expect(claimLabel(name)).toBe('')
  })

  it('that is encrypted shows its header only', () => {
    const text = `${encoded({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`
    expect(readPasted(text)).toEqual({ kind: 'encrypted', header: { alg: 'RSA-OAEP', enc: 'A256GCM' } })
  })
})

describe('the signature', () => {
  let service: Signer
  let stranger: Signer
  beforeAll(async () => {
    service = await signer('RS256', 'k1')
    stranger = await signer('RS256', 'k1')
  })

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'made with %s is checked, and the key is named',
    async (alg) => {
      const issuer = await signer(alg, 'own')
      const other = await signer('RS256', 'other')
      const { result, words } = await check(await issuer.sign(), setOf(other.publicKey, issuer.publicKey))
      expect([result, words]).toEqual([
        'valid',
        expect.stringContaining(`${alg} and the key own of the service`),
      ])
    },
  )

  it('is checked with a single key too, and with each key if the token names none', async () => {
    const unnamed = await signer('ES256')
    const { publicKey } = await signer('ES256', 'first')
    expect(await check(await unnamed.sign(), JSON.stringify(unnamed.publicKey))).toMatchObject({
      result: 'valid',
    })
    expect(await check(await unnamed.sign(), setOf(publicKey, unnamed.publicKey))).toMatchObject({
      result: 'valid',
      words: expect.stringContaining('without a name') as string,
    })
  })

  it('of somebody else, or of changed claims, is refused', async () => {
    const [head = '', , signature = ''] = (await service.sign()).split('.')
    const changed = [head, encoded({ sub: 'eve' }), signature].join('.')
    for (const token of [await stranger.sign(), changed])
      expect(await check(token, setOf(service.publicKey))).toMatchObject({ result: 'invalid' })
  })

  it.each(['none', 'NONE', 'None'])('is missing with alg %s, and no key makes it valid', async (alg) => {
    expect(await check(tokenOf({ alg }, { sub: 'ada' }, ''), setOf(service.publicKey))).toMatchObject({
      result: 'invalid',
      words: expect.stringContaining('no signature') as string,
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['has a shared secret', { alg: 'HS256', kid: 'k1' }],
    ['has an unknown algorithm', { alg: 'toString', kid: 'k1' }],
    ['has no algorithm', { kid: 'k1' }],
    ['has a list as algorithm', { alg: ['RS256'], kid: 'k1' }],
    ['names a key that the service has not', { alg: 'RS256', kid: '__proto__' }],
    ['has a key of another kind', { alg: 'ES256', kid: 'k1' }],
    ['needs something unknown', { alg: 'RS256', kid: 'k1', crit: ['exp'], exp: 1 }],
  ])('that %s is not shown as checked', async (_, header) => {
    const { result, words } = await check(tokenOf(header, { sub: 'ada' }), setOf(service.publicKey))
    expect([result, words]).toEqual(['unchecked', expect.stringMatching(/^Not checked: /)])
  })

  it.each(['', 'no JSON', '{}', '[]', 'null', '{"keys":[null,1,{}]}', '{"keys":{"kty":"RSA"}}'])(
    'is not checked with %j as keys',
    async (text) => {
      expect(await check(await service.sign(), text)).toMatchObject({ result: 'unchecked' })
    },
  )

  it('is not checked with a key for encryption, or one that is broken', async () => {
    const token = await service.sign()
    for (const change of [{ use: 'enc' }, { n: '!' }])
      expect(await check(token, setOf({ ...service.publicKey, ...change }))).toMatchObject({
        result: 'unchecked',
      })
  })
})
