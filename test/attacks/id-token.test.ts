/** security.md part 4, rows 61 to 88: what a forged, foreign, old or oddly shaped ID token may try. */
import { createHash, createHmac, createPublicKey } from 'node:crypto'
import { inspect } from 'node:util'
import { Client } from 'foyer-sdk'
import { CompactEncrypt } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/foundation/errors'
import { type IdTokenExpectation, verifyIdToken } from '../../src/tokens/id-token/verify-id-token'
import type { RemoteJwks } from '../../src/tokens/id-token/remote-jwks'
import { silentSurface } from '../support/scripted-surface'
import {
  ACCESS_TOKEN,
  base64url,
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
let keys: RemoteJwks

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

const signatureBytes = (token: string) => Buffer.from(token.split('.')[2] ?? '', 'base64url')
const sha256 = (text: string) => createHash('sha256').update(text).digest()
const half = (text: string) => base64url(sha256(text).subarray(0, 16))

/** Because of which claim or field the token is refused. */
async function refusal(token: string, changes: Partial<IdTokenExpectation> = {}): Promise<string | undefined> {
  const error: unknown = await verify(token, changes).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'ProtocolError', code: 'invalid_id_token', retryable: false })
  return error instanceof ProtocolError ? error.path : undefined
}

/** Because of what honest claims with these changes are refused. */
async function claimRefusal(changes: Record<string, unknown>, expectation: Partial<IdTokenExpectation> = {}): Promise<string | undefined> {
  return refusal(await issuer.sign(rsa, changes), expectation)
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
    expect(await refusal(await issuer.sign(foreign))).toBe('signature')
  })

  it.each(['RS256', 'ES256'])('attack/61 is refused: %s, other claims under an honest signature', async (alg) => {
    const [header, , signature] = (await issuer.sign(alg === 'RS256' ? rsa : ec)).split('.')
    expect(await refusal(`${header}.${base64url(JSON.stringify(issuer.claims({ sub: '1' })))}.${signature}`)).toBe('signature')
  })

  it.each(['RS256', 'ES256'])('attack/61 is refused: %s, a signature of zeros, a cut one, none', async (alg) => {
    const [header, payload, signature = ''] = (await issuer.sign(alg === 'RS256' ? rsa : ec)).split('.')
    expect(await refusal(`${header}.${payload}.${base64url(new Uint8Array(alg === 'RS256' ? 256 : 64))}`)).toBe('signature')
    expect(await refusal(`${header}.${payload}.${signature.slice(0, 40)}`)).toBe('signature')
    expect(await refusal(`${header}.${payload}.`)).toBe('signature')
  })

  it.each(['none', 'None', 'NONE', ''])('attack/62 is refused: alg "%s", with and without a third part', async (alg) => {
    const unsigned = `${base64url(JSON.stringify({ alg, kid: 'rsa' }))}.${base64url(JSON.stringify(issuer.claims()))}`
    expect(await refusal(`${unsigned}.`)).toBe('header.alg')
    expect(await refusal(`${unsigned}.anVuaw`)).toBe('header.alg')
    expect(await refusal(unsigned)).toBe('id_token')
  })

  it('attack/63 is refused: HS256 with our id or with the public key as the secret', async () => {
    const input = `${base64url(JSON.stringify({ alg: 'HS256', kid: 'rsa' }))}.${base64url(JSON.stringify(issuer.claims()))}`
    const pem = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    for (const secret of [CLIENT_ID, pem, JSON.stringify(rsa.jwk), rsa.jwk.n ?? '']) {
      expect(await refusal(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)).toBe('header.alg')
    }
  })

  it('attack/63 is refused also when the service publishes a secret', async () => {
    issuer.published = [{ kty: 'oct', k: base64url('secret'), kid: 'rsa', alg: 'RS256' }]
    expect(await refusal(await issuer.sign(rsa))).toBe('header.kid')
  })

  it.each(['RS384', 'RS512', 'PS256', 'ES384', 'EdDSA', 'rs256', 'RS256 ', 256, null, undefined])(
    'attack/64 is refused: alg %s',
    async (alg) => {
      expect(await refusal(await signHeader(rsa, { alg }, JSON.stringify(issuer.claims())))).toBe('header.alg')
    },
  )

  it('attack/64 is refused: the id of a key that is for the other algorithm', async () => {
    expect(await refusal(await issuer.sign(ec, {}, { kid: 'rsa' }))).toBe('header.kid')
    issuer.published = [{ ...rsa.jwk, alg: 'RS512' }]
    keys = issuer.keySet()
    expect(await refusal(await issuer.sign(rsa))).toBe('header.kid')
  })

  it('attack/65 is refused: it brings its own key or says where to get one', async () => {
    const own = { jwk: foreign.jwk, jku: 'https://evil.test/keys', x5u: 'https://evil.test/cert', x5c: ['MIIB'] }
    const claims = JSON.stringify(issuer.claims())
    expect(await refusal(await signHeader(foreign, own, claims))).toBe('signature')
    expect(await refusal(await signHeader(foreign, { ...own, kid: undefined }, claims))).toBe('signature')
    expect(await refusal(await signHeader(foreign, { ...own, kid: 'own' }, claims))).toBe('header.kid')
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
    expect(await refusal(await signHeader(rsa, { [name]: value }, JSON.stringify(issuer.claims())))).toBe(`header.${name}`)
  })

  it('attack/67 is refused: encrypted', async () => {
    const key = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' })
    const token = await new CompactEncrypt(Buffer.from(JSON.stringify(issuer.claims())))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
      .encrypt(key)
    expect(await refusal(token)).toBe('id_token')
  })

  it('attack/157 is refused when its claims are nested 5,000 deep, also under a good signature', async () => {
    const text = JSON.stringify(issuer.claims()).replace(/}$/, `,"x":${'['.repeat(5000)}${']'.repeat(5000)}}`)
    expect(await refusal(await signText(rsa, text))).toBe('payload')
    expect((await verify(await issuer.sign(rsa, { address: { list: [{ country: 'NZ' }] } }))).claims.sub).toBe(USER_ID)
  })

  it('attack/67 is refused: nested, detached, in two or four parts', async () => {
    const token = await issuer.sign(rsa)
    const [header, payload, signature] = token.split('.')
    expect(await refusal(await signText(rsa, token, { cty: 'JWT' }))).toBe('payload')
    expect(await refusal(`${header}..${signature}`)).toBe('signature')
    expect(await refusal(`${header}.${payload}`)).toBe('id_token')
    expect(await refusal(`${token}.`)).toBe('id_token')
    expect(await refusal('')).toBe('id_token')
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
      expect(await refusal(spoilt)).toBe(name)
    }
  })

  it('attack/67 is refused: the same bytes in another spelling', async () => {
    const token = await issuer.sign(rsa)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const other = token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(token.slice(-1)) + 1)
    expect(signatureBytes(other)).toEqual(signatureBytes(token))
    expect(await refusal(other)).toBe('signature')
  })

  it.each(['at+jwt', 'logout+jwt', 'application/jwt', '', null, 1])('attack/68 is refused: typ %s', async (typ) => {
    expect(await refusal(await signHeader(rsa, { typ }, JSON.stringify(issuer.claims())))).toBe('header.typ')
  })

  it.each(['', 'null', '[]', '"text"', '{', '\uFEFF{}'])('is refused when its payload is %j', async (payload) => {
    expect(await refusal(await signText(rsa, payload))).toBe('payload')
  })

  it('is refused when it is larger than 16 kB', async () => {
    expect(await refusal(await issuer.sign(rsa, { name: 'x'.repeat(16_384) }))).toBe('id_token')
    expect(issuer.requests).toEqual([])
  })

  it('is refused when kid is not a string', async () => {
    expect(await refusal(await signHeader(rsa, { kid: 1 }, JSON.stringify(issuer.claims())))).toBe('header.kid')
  })
})

describe('a token of someone else or for someone else', () => {
  it.each([`${ISSUER}/`, ISSUER.toUpperCase(), 'http://service.test', 'https://evil.test', '', null, [ISSUER]])(
    'attack/69 is refused: iss %j',
    async (iss) => {
      expect(await claimRefusal({ iss })).toBe('iss')
    },
  )

  it('attack/70 is refused: no iss', async () => {
    expect(await claimRefusal({ iss: undefined })).toBe('iss')
  })

  it.each([['2'], '2', `${CLIENT_ID} `, [], '', null, Number(CLIENT_ID), { 0: CLIENT_ID, length: 1 }, [[CLIENT_ID]], undefined])(
    'attack/71 is refused: aud %j',
    async (aud) => {
      expect(await claimRefusal({ aud })).toBe('aud')
    },
  )

  it('attack/72 is refused: one more audience', async () => {
    expect(await claimRefusal({ aud: [CLIENT_ID, '2'] })).toBe('aud')
    expect(await claimRefusal({ aud: [CLIENT_ID, CLIENT_ID] })).toBe('aud')
  })

  it('attack/73 is refused: one more audience, and that one is authorized', async () => {
    expect(await claimRefusal({ aud: [CLIENT_ID, '2'], azp: '2' })).toBe('aud')
    expect(await claimRefusal({ aud: [CLIENT_ID, '2'], azp: CLIENT_ID })).toBe('aud')
  })

  it.each(['2', '', null, [CLIENT_ID]])('attack/74 is refused: our audience, but azp %j', async (azp) => {
    expect(await claimRefusal({ azp })).toBe('azp')
  })

  it.each([`${NONCE}x`, NONCE.slice(1), NONCE.toLowerCase(), '', null, [NONCE]])('attack/81 is refused: nonce %j', async (nonce) => {
    expect(await claimRefusal({ nonce })).toBe('nonce')
  })

  it('attack/82 is refused: no nonce', async () => {
    expect(await claimRefusal({ nonce: undefined })).toBe('nonce')
  })

  it('attack/83 is refused: a nonce though none was sent', async () => {
    expect(await claimRefusal({}, { nonce: undefined })).toBe('nonce')
    expect(await claimRefusal({ nonce: null }, { nonce: undefined })).toBe('nonce')
    expect(await claimRefusal({ nonce: '' }, { nonce: undefined })).toBe('nonce')
  })

  it.each([undefined, Number(USER_ID), null, [USER_ID]])('attack/84 is refused: sub %j', async (sub) => {
    expect(await claimRefusal({ sub })).toBe('sub')
  })

  it.each(['', '1'.repeat(256), 'ana', '-1', '01', '1.0', '18446744073709551616', ` ${USER_ID}`])(
    'attack/85 is refused: sub %j',
    async (sub) => {
      expect(await claimRefusal({ sub })).toBe('sub')
    },
  )

  it('attack/86 is refused: the hash of another access token', async () => {
    await expect(verify(await issuer.sign(rsa, { at_hash: half(ACCESS_TOKEN) }))).resolves.toBeDefined()
    for (const wrong of [half('another'), base64url(sha256(ACCESS_TOKEN)), base64url(sha256(ACCESS_TOKEN).subarray(16)), '', null, 1]) {
      expect(await claimRefusal({ at_hash: wrong })).toBe('at_hash')
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
    expect(await claimRefusal(old)).toBe('exp')
    expect(await claimRefusal({ ...old, nonce: undefined }, { nonce: undefined, serverDate: undefined })).toBe('exp')
    expect(await claimRefusal({ iat: issuer.at(-240), exp: issuer.at(-61) }, { serverDate: undefined })).toBe('exp')
    const serverDate = issuer.clock.now() + 86_400_000
    expect(await claimRefusal({ nonce: undefined }, { nonce: undefined, serverDate })).toBe('exp')
  })

  it('is not refused for a wrong Date header: the nonce-bound iat and the clock of the machine outvote it', async () => {
    for (const serverDate of [Date.parse('1'), Date.parse('Fri, 31 Dec 1999 23:59:59 GMT'), issuer.clock.now() + 86_400_000])
      expect(await verify(await issuer.sign(rsa), { serverDate })).toMatchObject({ skew: 0 })
  })

  it('goes by the nonce-bound iat where neither the Date header nor the clock of the machine is right', async () => {
    const [now, serverDate] = [issuer.clock.now() + 30 * 3_600_000, Date.parse('1')]
    expect(await verify(await issuer.sign(rsa), { now, serverDate })).toMatchObject({ skew: -30 * 3_600_000 })
    expect(await claimRefusal({}, { now: now + 30 * 3_600_000, serverDate })).toBe('iat')
  })

  it('attack/75 tolerates one minute', async () => {
    await expect(verify(await issuer.sign(rsa, { iat: issuer.at(-600), exp: issuer.at(-59) }))).resolves.toBeDefined()
    expect(await claimRefusal({ iat: issuer.at(-600), exp: issuer.at(-60) })).toBe('exp')
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
    for (const value of [undefined, null, String(issuer.at(0)), [issuer.at(0)], true])
      expect(await claimRefusal({ [claim]: value })).toBe(claim)
    const text = JSON.stringify(issuer.claims({ [claim]: 0 })).replace(`"${claim}":0`, `"${claim}":1e400`)
    expect(await refusal(await signText(rsa, text))).toBe(claim)
  })

  it('attack/78 is refused: issued a day ahead of a server clock, or of ours when nothing proves ours wrong', async () => {
    const ahead = { iat: issuer.at(86_400), exp: issuer.at(90_000) }
    expect(await claimRefusal(ahead)).toBe('iat')
    expect(await claimRefusal({ ...ahead, nonce: undefined }, { nonce: undefined, serverDate: undefined })).toBe('iat')
    expect((await verify(await issuer.sign(rsa, ahead), { serverDate: undefined })).skew).toBe(86_400_000)
  })

  it('attack/78 is refused: a correction beyond 48 hours', async () => {
    for (const seconds of [172_801, -172_801]) {
      expect(await claimRefusal({ iat: issuer.at(seconds), exp: issuer.at(seconds + 3600) }, { serverDate: undefined })).toBe('iat')
    }
  })

  it('attack/78 is refused: a life of nothing, or less than nothing', async () => {
    for (const exp of [issuer.at(0), issuer.at(-1)]) expect(await claimRefusal({ exp })).toBe('exp')
  })

  it('attack/78 a token of more than 48 hours of life corrects no clock', async () => {
    const ahead = { iat: issuer.at(86_400), exp: issuer.at(86_400 + 172_801) }
    expect(await claimRefusal(ahead, { serverDate: undefined })).toBe('iat')
    await expect(verify(await issuer.sign(rsa, { exp: issuer.at(604_800) }))).resolves.toBeDefined()
  })

  it('attack/79 is refused: a week old, whatever it says of its end', async () => {
    expect(await claimRefusal({ iat: issuer.at(-172_830), exp: issuer.at(-30) })).toBe('iat')
    const iat = issuer.at(-604_800)
    expect(await claimRefusal({ iat })).toBe('iat')
    expect(await claimRefusal({ iat, exp: iat + 3600 })).toBe('exp')
    expect(await claimRefusal({ iat, exp: iat + 3600 }, { serverDate: undefined })).toBe('iat')
  })

  it('attack/80 is refused: not valid yet', async () => {
    expect(await claimRefusal({ nbf: issuer.at(61) })).toBe('nbf')
    expect(await claimRefusal({ nbf: '0' })).toBe('nbf')
    expect(await claimRefusal({ nbf: null })).toBe('nbf')
    await expect(verify(await issuer.sign(rsa, { nbf: issuer.at(60) }))).resolves.toBeDefined()
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
