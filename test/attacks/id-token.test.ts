/** security.md part 4: what a forged, foreign, old or oddly shaped ID token may try, and a key endpoint that misbehaves. */
import { createHash, createHmac, createPublicKey } from 'node:crypto'
import { inspect } from 'node:util'
import { Client } from 'foyer-sdk'
import { CompactEncrypt, exportJWK, type JWK } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IdTokenExpectation } from '../../src/tokens/id-token'
import { verifyIdToken } from '../../src/tokens/id-token'
import type { KeySet } from '../../src/tokens/key-set'
import { silentSurface } from '../support/scripted-surface'
import {
  ACCESS_TOKEN,
  CLIENT_ID,
  createKey,
  ISSUER,
  KEYS_URL,
  NONCE,
  signHeader,
  type SigningKey,
  signText,
  TokenIssuer,
  USER_ID,
} from '../support/token-issuer'

let rsa: SigningKey
let ec: SigningKey
/** Published by nobody, and named as if it were `rsa`. */
let foreign: SigningKey
let issuer: TokenIssuer
let keys: KeySet

beforeAll(async () => {
  rsa = await createKey('RS256', 'rsa')
  ec = await createKey('ES256', 'ec')
  foreign = await createKey('RS256', 'rsa')
})
beforeEach(() => {
  issuer = new TokenIssuer(rsa, ec)
  keys = issuer.keySet()
})

function verify(token: string, changes: Partial<IdTokenExpectation> = {}) {
  const now = issuer.clock.now()
  return verifyIdToken(
    token,
    { issuer: ISSUER, clientId: CLIENT_ID, nonce: NONCE, accessToken: ACCESS_TOKEN, now, serverDate: now, ...changes },
    { keys },
  )
}

const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')
const refusal = (path: string) => ({ name: 'ProtocolError', code: 'invalid_id_token', path, retryable: false })

/** The token is refused, and for this reason. */
async function expectRefused(token: string, path: string, changes: Partial<IdTokenExpectation> = {}) {
  await expect(verify(token, changes)).rejects.toMatchObject(refusal(path))
}

/** Claims with these changes are refused because of `path`. */
async function expectClaimRefused(changes: Record<string, unknown>, path: string, expectation: Partial<IdTokenExpectation> = {}) {
  await expectRefused(await issuer.sign(rsa, changes), path, expectation)
}

describe('an honest token', () => {
  it.each(['RS256', 'ES256'])('is accepted when signed with %s', async (alg) => {
    const token = await issuer.sign(alg === 'RS256' ? rsa : ec)
    expect(await verify(token)).toEqual({ claims: issuer.claims(), skew: 0 })
  })

  it('is accepted with our id as the only audience of a list, with azp, and with claims of no concern', async () => {
    const token = await issuer.sign(rsa, { aud: [CLIENT_ID], azp: CLIENT_ID, name: 'Ana', nbf: issuer.at(0) })
    expect((await verify(token)).claims).toMatchObject({ aud: [CLIENT_ID], name: 'Ana' })
  })

  it.each(['jwt', 'JWT', undefined])('is accepted with typ %s', async (typ) => {
    expect((await verify(await signHeader(rsa, { typ }, JSON.stringify(issuer.claims())))).claims.sub).toBe(USER_ID)
  })

  it('is accepted without a nonce when none was sent', async () => {
    const { claims } = await verify(await issuer.sign(rsa, { nonce: undefined }), { nonce: undefined })
    expect(claims.nonce).toBeUndefined()
  })
})

describe('a token that is not signed by the service', () => {
  it('attack/61 is refused: another key under the same id', async () => {
    await expectRefused(await issuer.sign(foreign), 'signature')
  })

  it.each(['RS256', 'ES256'])('attack/61 is refused: %s, other claims under an honest signature', async (alg) => {
    const [header, , signature] = (await issuer.sign(alg === 'RS256' ? rsa : ec)).split('.')
    await expectRefused(`${header}.${base64url(JSON.stringify(issuer.claims({ sub: '1' })))}.${signature}`, 'signature')
  })

  it.each(['RS256', 'ES256'])('attack/61 is refused: %s, a signature of zeros, a cut one, none', async (alg) => {
    const [header, payload, signature = ''] = (await issuer.sign(alg === 'RS256' ? rsa : ec)).split('.')
    await expectRefused(`${header}.${payload}.${base64url(new Uint8Array(alg === 'RS256' ? 256 : 64))}`, 'signature')
    await expectRefused(`${header}.${payload}.${signature.slice(0, 40)}`, 'signature')
    await expectRefused(`${header}.${payload}.`, 'signature')
  })

  it.each(['none', 'None', 'NONE', ''])('attack/62 is refused: alg "%s", with and without a third part', async (alg) => {
    const unsigned = `${base64url(JSON.stringify({ alg, kid: 'rsa' }))}.${base64url(JSON.stringify(issuer.claims()))}`
    await expectRefused(`${unsigned}.`, 'header.alg')
    await expectRefused(`${unsigned}.anVuaw`, 'header.alg')
    await expectRefused(unsigned, 'id_token')
  })

  it('attack/63 is refused: HS256 with our id or with the public key as the secret', async () => {
    const input = `${base64url(JSON.stringify({ alg: 'HS256', kid: 'rsa' }))}.${base64url(JSON.stringify(issuer.claims()))}`
    const pem = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    for (const secret of [CLIENT_ID, pem, JSON.stringify(rsa.jwk), rsa.jwk.n ?? '']) {
      await expectRefused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`, 'header.alg')
    }
  })

  it('attack/63 is refused also when the service publishes a secret', async () => {
    issuer.published = [{ kty: 'oct', k: base64url('secret'), kid: 'rsa', alg: 'RS256' }]
    await expectRefused(await issuer.sign(rsa), 'header.kid')
  })

  it.each(['RS384', 'RS512', 'PS256', 'ES384', 'EdDSA', 'rs256', 'RS256 ', 256, null, undefined])(
    'attack/64 is refused: alg %s',
    async (alg) => {
      await expectRefused(await signHeader(rsa, { alg }, JSON.stringify(issuer.claims())), 'header.alg')
    },
  )

  it('attack/64 is refused: the id of a key that is for the other algorithm', async () => {
    await expectRefused(await issuer.sign(ec, {}, { kid: 'rsa' }), 'header.kid')
    issuer.published = [{ ...rsa.jwk, alg: 'RS512' }]
    keys = issuer.keySet()
    await expectRefused(await issuer.sign(rsa), 'header.kid')
  })

  it('attack/65 is refused: it brings its own key or says where to get one', async () => {
    const own = { jwk: foreign.jwk, jku: 'https://evil.test/keys', x5u: 'https://evil.test/cert', x5c: ['MIIB'] }
    const claims = JSON.stringify(issuer.claims())
    await expectRefused(await signHeader(foreign, own, claims), 'signature')
    await expectRefused(await signHeader(foreign, { ...own, kid: undefined }, claims), 'signature')
    await expectRefused(await signHeader(foreign, { ...own, kid: 'own' }, claims), 'header.kid')
    expect(new Set(issuer.requests)).toEqual(new Set([KEYS_URL]))
    await expect(verify(await signHeader(rsa, own, claims))).resolves.toBeDefined()
  })
})

describe('a token in another form', () => {
  it.each([
    ['attack/66', 'crit', ['exp']],
    ['attack/66', 'crit', []],
    ['attack/66', 'crit', null],
    ['attack/67', 'b64', false],
    ['attack/67', 'b64', true],
    ['attack/67', 'enc', 'A256GCM'],
    ['attack/67', 'zip', 'DEF'],
  ])('%s is refused: header %s %j', async (_row, name, value) => {
    await expectRefused(await signHeader(rsa, { [name]: value }, JSON.stringify(issuer.claims())), `header.${name}`)
  })

  it('attack/67 is refused: encrypted', async () => {
    const key = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' })
    const token = await new CompactEncrypt(Buffer.from(JSON.stringify(issuer.claims())))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
      .encrypt(key)
    await expectRefused(token, 'id_token')
  })

  it('attack/67 is refused: nested, detached, in two or four parts', async () => {
    const token = await issuer.sign(rsa)
    const [header, payload, signature] = token.split('.')
    await expectRefused(await signText(rsa, token, { cty: 'JWT' }), 'payload')
    await expectRefused(`${header}..${signature}`, 'signature')
    await expectRefused(`${header}.${payload}`, 'id_token')
    await expectRefused(`${token}.`, 'id_token')
    await expectRefused('', 'id_token')
  })

  it.each([
    ['white space', (part: string) => `${part}\n`],
    ['white space before', (part: string) => ` ${part}`],
    ['padding', (part: string) => `${part}=`],
    ['the other alphabet', (part: string) => `${part}+/+/`],
    ['a letter beyond ASCII', (part: string) => `${part}\u0101AAA`],
    ['a stray letter', (part: string) => `${part}${'A'.repeat(1 + ((4 - (part.length % 4)) % 4))}`],
  ])('attack/67 is refused: %s in any part', async (_name, spoil) => {
    const parts = (await issuer.sign(rsa)).split('.')
    for (const [i, name] of ['header', 'payload', 'signature'].entries()) {
      const spoilt = parts.map((part, k) => (k === i ? spoil(part) : part)).join('.')
      await expectRefused(spoilt, name)
    }
  })

  it('attack/67 is refused: the same bytes in another spelling', async () => {
    const token = await issuer.sign(rsa)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const other = token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(token.slice(-1)) + 1)
    const bytes = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
    expect(bytes(other)).toEqual(bytes(token))
    await expectRefused(other, 'signature')
  })

  it.each(['at+jwt', 'logout+jwt', 'application/jwt', '', null, 1])('attack/68 is refused: typ %s', async (typ) => {
    await expectRefused(await signHeader(rsa, { typ }, JSON.stringify(issuer.claims())), 'header.typ')
  })

  it.each(['', 'null', '[]', '"text"', '{', '\uFEFF{}'])('is refused when its payload is %j', async (payload) => {
    await expectRefused(await signText(rsa, payload), 'payload')
  })

  it('is refused when it is larger than 16 kB', async () => {
    await expectRefused(await issuer.sign(rsa, { name: 'x'.repeat(16_384) }), 'id_token')
    expect(issuer.requests).toEqual([])
  })

  it('is refused when kid is not a string', async () => {
    await expectRefused(await signHeader(rsa, { kid: 1 }, JSON.stringify(issuer.claims())), 'header.kid')
  })
})

describe('a token of someone else or for someone else', () => {
  it.each([`${ISSUER}/`, ISSUER.toUpperCase(), 'http://service.test', 'https://evil.test', '', null, [ISSUER]])(
    'attack/69 is refused: iss %j',
    (iss) => expectClaimRefused({ iss }, 'iss'),
  )

  it('attack/70 is refused: no iss', () => expectClaimRefused({ iss: undefined }, 'iss'))

  it.each([['2'], '2', `${CLIENT_ID} `, [], '', null, Number(CLIENT_ID), { 0: CLIENT_ID, length: 1 }, [[CLIENT_ID]], undefined])(
    'attack/71 is refused: aud %j',
    (aud) => expectClaimRefused({ aud }, 'aud'),
  )

  it('attack/72 is refused: one more audience', async () => {
    await expectClaimRefused({ aud: [CLIENT_ID, '2'] }, 'aud')
    await expectClaimRefused({ aud: [CLIENT_ID, CLIENT_ID] }, 'aud')
  })

  it('attack/73 is refused: one more audience, and that one is authorized', async () => {
    await expectClaimRefused({ aud: [CLIENT_ID, '2'], azp: '2' }, 'aud')
    await expectClaimRefused({ aud: [CLIENT_ID, '2'], azp: CLIENT_ID }, 'aud')
  })

  it.each(['2', '', null, [CLIENT_ID]])('attack/74 is refused: our audience, but azp %j', (azp) => expectClaimRefused({ azp }, 'azp'))

  it.each([`${NONCE}x`, NONCE.slice(1), NONCE.toLowerCase(), '', null, [NONCE]])('attack/81 is refused: nonce %j', (nonce) =>
    expectClaimRefused({ nonce }, 'nonce'),
  )

  it('attack/82 is refused: no nonce', () => expectClaimRefused({ nonce: undefined }, 'nonce'))

  it('attack/83 is refused: a nonce though none was sent', async () => {
    await expectClaimRefused({}, 'nonce', { nonce: undefined })
    await expectClaimRefused({ nonce: null }, 'nonce', { nonce: undefined })
    await expectClaimRefused({ nonce: '' }, 'nonce', { nonce: undefined })
  })

  it.each([undefined, Number(USER_ID), null, [USER_ID]])('attack/84 is refused: sub %j', (sub) => expectClaimRefused({ sub }, 'sub'))

  it.each(['', '1'.repeat(256), 'ana', '-1', '01', '1.0', '18446744073709551616', ` ${USER_ID}`])('attack/85 is refused: sub %j', (sub) =>
    expectClaimRefused({ sub }, 'sub'),
  )

  it('attack/86 is refused: the hash of another access token', async () => {
    const hash = (text: string) => createHash('sha256').update(text).digest()
    const half = (text: string) => base64url(hash(text).subarray(0, 16))
    await expect(verify(await issuer.sign(rsa, { at_hash: half(ACCESS_TOKEN) }))).resolves.toBeDefined()
    for (const wrong of [half('another'), base64url(hash(ACCESS_TOKEN)), base64url(hash(ACCESS_TOKEN).subarray(16)), '', null, 1]) {
      await expectClaimRefused({ at_hash: wrong }, 'at_hash')
    }
  })

  it('attack/87 attack/88 cannot be hybrid and has no greatest age: neither is ever asked for', async () => {
    const surface = silentSurface()
    const client = new Client({ applicationId: '1', service: { host: ISSUER } })
    client.authorize({ scopes: 'openid' }, { surface }).catch(() => undefined)
    await expect.poll(() => surface.opened.length).toBe(1)
    const query = surface.opened[0]?.searchParams
    expect(query?.get('response_type')).toBe('code')
    expect(query?.has('max_age')).toBe(false)
    client.close()
    await expect(verify(await issuer.sign(rsa, { c_hash: 'wrong', auth_time: 1 }))).resolves.toBeDefined()
  })
})

describe('a token of another time', () => {
  it('attack/75 is refused: expired by the clock of the server', async () => {
    const old = { iat: issuer.at(-7200), exp: issuer.at(-61) }
    await expectClaimRefused(old, 'exp')
    await expectClaimRefused({ ...old, nonce: undefined }, 'exp', { nonce: undefined, serverDate: undefined })
    await expectClaimRefused({ iat: issuer.at(-240), exp: issuer.at(-61) }, 'exp', { serverDate: undefined })
    const serverDate = issuer.clock.now() + 86_400_000
    await expectClaimRefused({}, 'exp', { serverDate })
  })

  it('attack/75 tolerates one minute', async () => {
    await expect(verify(await issuer.sign(rsa, { iat: issuer.at(-600), exp: issuer.at(-59) }))).resolves.toBeDefined()
    await expectClaimRefused({ iat: issuer.at(-600), exp: issuer.at(-60) }, 'exp')
  })

  it('attack/75 goes by the corrected clock: a machine that is hours ahead or behind signs in', async () => {
    for (const hours of [-30, 30]) {
      const now = issuer.clock.now() + hours * 3_600_000
      const token = await issuer.sign(rsa)
      expect(await verify(token, { now, serverDate: issuer.clock.now() })).toMatchObject({ skew: -hours * 3_600_000 })
      expect(await verify(token, { now, serverDate: undefined })).toMatchObject({ skew: -hours * 3_600_000 })
    }
  })

  it.each(['exp', 'iat'])('attack/76 attack/77 is refused: no %s, or one that is no finite number', async (claim) => {
    for (const value of [undefined, null, String(issuer.at(0)), [issuer.at(0)], true]) await expectClaimRefused({ [claim]: value }, claim)
    const text = JSON.stringify(issuer.claims({ [claim]: 0 })).replace(`"${claim}":0`, `"${claim}":1e400`)
    await expectRefused(await signText(rsa, text), claim)
  })

  it('attack/78 is refused: issued a day ahead of a server clock, or of ours when nothing proves ours wrong', async () => {
    const ahead = { iat: issuer.at(86_400), exp: issuer.at(90_000) }
    await expectClaimRefused(ahead, 'iat')
    await expectClaimRefused({ ...ahead, nonce: undefined }, 'iat', { nonce: undefined, serverDate: undefined })
    expect((await verify(await issuer.sign(rsa, ahead), { serverDate: undefined })).skew).toBe(86_400_000)
  })

  it('attack/78 is refused: a correction beyond 48 hours', async () => {
    for (const seconds of [172_801, -172_801]) {
      await expectClaimRefused({ iat: issuer.at(seconds), exp: issuer.at(seconds + 3600) }, 'iat', { serverDate: undefined })
    }
  })

  it('attack/78 is refused: a life of nothing, less than nothing, or more than 48 hours', async () => {
    for (const exp of [issuer.at(0), issuer.at(-1), issuer.at(172_801), 1e300]) await expectClaimRefused({ exp }, 'exp')
    await expect(verify(await issuer.sign(rsa, { exp: issuer.at(172_800) }))).resolves.toBeDefined()
  })

  it('attack/79 is refused: a week old, whatever it says of its end', async () => {
    const iat = issuer.at(-604_800)
    await expectClaimRefused({ iat }, 'exp')
    await expectClaimRefused({ iat, exp: iat + 3600 }, 'exp')
    await expectClaimRefused({ iat, exp: iat + 3600 }, 'iat', { serverDate: undefined })
  })

  it('attack/80 is refused: not valid yet', async () => {
    await expectClaimRefused({ nbf: issuer.at(61) }, 'nbf')
    await expectClaimRefused({ nbf: '0' }, 'nbf')
    await expectClaimRefused({ nbf: null }, 'nbf')
    await expect(verify(await issuer.sign(rsa, { nbf: issuer.at(60) }))).resolves.toBeDefined()
  })
})

describe('the keys of the service', () => {
  const withoutId = ({ kid: _kid, ...jwk }: SigningKey['jwk']): JWK => jwk

  it('attack/89 are each tried when a token names none, four at most', async () => {
    const others = await Promise.all(['a', 'b', 'c', 'd'].map((kid) => createKey('ES256', kid)))
    const token = await issuer.sign(ec, {}, { kid: undefined })
    issuer.published = [...others.slice(0, 3), rsa, ec].map(({ jwk }) => withoutId(jwk))
    await expect(verify(token)).resolves.toBeDefined()
    issuer.published = [...others, ec].map(({ jwk }) => jwk)
    keys = issuer.keySet()
    await expectRefused(token, 'signature')
  })

  it('attack/89 may be a single one, named or not', async () => {
    issuer.published = [withoutId(rsa.jwk)]
    await expect(verify(await issuer.sign(rsa, {}, { kid: undefined }))).resolves.toBeDefined()
    issuer.published = [rsa.jwk]
    keys = issuer.keySet()
    await expect(verify(await issuer.sign(rsa, {}, { kid: undefined }))).resolves.toBeDefined()
    await expectRefused(await issuer.sign(ec, {}, { kid: undefined }), 'header.alg')
  })

  it('attack/90 are not used when they are weak, of another curve, or for something else', async () => {
    const small = { kty: 'RSA', e: 'AQAB', n: base64url(new Uint8Array(128).fill(0xff)), kid: 'rsa' }
    const padded = { ...small, n: base64url(Buffer.concat([new Uint8Array(128), new Uint8Array(128).fill(0xff)])) }
    const almost = { ...small, n: base64url(Buffer.concat([new Uint8Array([0x7f]), new Uint8Array(255).fill(0xff)])) }
    const identity = { ...rsa.jwk, e: 'AQ' }
    const wrong: unknown[] = [small, padded, almost, identity]
    wrong.push(
      { ...rsa.jwk, use: 'enc' },
      { ...rsa.jwk, use: null },
      { ...rsa.jwk, key_ops: ['encrypt'] },
      { ...rsa.jwk, key_ops: 'verify' },
    )
    for (const key of wrong) {
      issuer.published = [key]
      keys = issuer.keySet()
      await expectRefused(await issuer.sign(rsa), 'header.kid')
    }
    for (const crv of ['P-192', 'P-384', 'secp256k1']) {
      issuer.published = [{ ...ec.jwk, crv }]
      keys = issuer.keySet()
      await expectRefused(await issuer.sign(ec), 'header.kid')
    }
  })

  it('attack/90 lose their private part', async () => {
    issuer.published = [{ ...(await exportJWK(rsa.privateKey)), kid: 'rsa', use: 'sig', key_ops: ['sign', 'verify'], ext: true }]
    await expect(verify(await issuer.sign(rsa))).resolves.toBeDefined()
    const [key] = await keys.find({ alg: 'RS256', kid: 'rsa' })
    expect(key).toEqual({ kty: 'RSA', n: rsa.jwk.n, e: rsa.jwk.e })
  })

  it('attack/91 stay usable when one of them is broken', async () => {
    const offCurve = { ...ec.jwk, y: base64url(new Uint8Array(32).fill(1)) }
    const broken = [
      null,
      7,
      'key',
      [],
      {},
      { kty: 'RSA', kid: 'rsa' },
      { ...rsa.jwk, n: '!!' },
      { ...rsa.jwk, kid: 5 },
      { ...ec.jwk, x: 'AA' },
    ]
    issuer.published = [...broken, offCurve, rsa.jwk, ec.jwk]
    await expect(verify(await issuer.sign(rsa))).resolves.toBeDefined()
    await expect(verify(await issuer.sign(ec))).resolves.toBeDefined()
  })

  it('attack/92 are not fetched in a storm of unknown ids', async () => {
    await verify(await issuer.sign(rsa))
    const storm = async () => {
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, i) => issuer.sign(foreign, {}, { kid: `${issuer.clock.now()}-${i}` })),
      )
      await Promise.all(tokens.map((token) => expectRefused(token, 'header.kid')))
      for (const token of tokens) await expectRefused(token, 'header.kid')
    }
    await storm()
    expect(issuer.requests).toHaveLength(2)
    issuer.clock.advance(29_999)
    await storm()
    expect(issuer.requests).toHaveLength(2)
    issuer.clock.advance(1)
    await storm()
    expect(issuer.requests).toHaveLength(3)
  })

  it('attack/93 are fetched at once when the service changed its key right after we cached', async () => {
    await verify(await issuer.sign(rsa))
    const next = await createKey('RS256', 'next')
    issuer.published = [next.jwk]
    await expect(verify(await issuer.sign(next))).resolves.toBeDefined()
    expect(issuer.requests).toHaveLength(2)
  })

  it('attack/94 are forgotten ten minutes after the service removed them', async () => {
    await verify(await issuer.sign(rsa))
    issuer.published = [ec.jwk]
    issuer.clock.advance(600_000 - 1)
    await expect(verify(await issuer.sign(rsa))).resolves.toBeDefined()
    issuer.clock.advance(1)
    await expectRefused(await issuer.sign(rsa), 'header.kid')
  })

  it('attack/94 are trusted for a day, not longer, while they cannot be fetched', async () => {
    await verify(await issuer.sign(rsa))
    issuer.answer = () => Promise.reject(new TypeError('offline'))
    issuer.clock.advance(24 * 3_600_000 - 1)
    await expect(verify(await issuer.sign(rsa))).resolves.toBeDefined()
    issuer.clock.advance(1)
    await expect(verify(await issuer.sign(rsa))).rejects.toMatchObject({ code: 'keys_unavailable', retryable: true })
  })

  it('attack/95 may be out of reach: the same token is verified later', async () => {
    const token = await issuer.sign(rsa)
    const failures = [
      () => Promise.reject(new TypeError('offline')),
      () => Promise.resolve(Response.json({ message: 'down' }, { status: 503 })),
      () => Promise.resolve(Response.json({ keys: [rsa.jwk] }, { status: 500 })),
      () => Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } })),
      () => Promise.resolve(Response.json({ keys: 'none' })),
      () => Promise.resolve(Response.json({ keys: ['x'.repeat(70_000)] })),
    ]
    for (const failure of failures) {
      issuer.answer = failure
      await expect(verify(token)).rejects.toMatchObject({ name: 'ProtocolError', code: 'keys_unavailable', retryable: true })
    }
    issuer.answer = undefined
    await expect(verify(token)).resolves.toBeDefined()
  })
})

describe('a refusal', () => {
  it('never shows the token, the access token, the nonce or an error of the signature library', async () => {
    const token = await issuer.sign(foreign, { nonce: 'other' })
    for (const bad of [token, await issuer.sign(rsa, { nonce: 'other' }), token.slice(1), `${token}.x`]) {
      const error: unknown = await verify(bad).catch((reason: unknown) => reason)
      const shown = `${inspect(error, { depth: null, showHidden: true })}${JSON.stringify(error)}`
      for (const secret of [...bad.split('.').filter((part) => part.length > 5), ACCESS_TOKEN, NONCE, USER_ID])
        expect(shown).not.toContain(secret)
      expect(error).not.toHaveProperty('cause')
    }
  })
})
