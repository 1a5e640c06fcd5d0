/** Attacks through ID tokens: forged, foreign, expired and malformed ones. */
import { createHash, createHmac, createPublicKey } from 'node:crypto'
import { inspect } from 'node:util'
import { Client, ProtocolError } from 'foyer-sdk'
import { CompactEncrypt } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type IdTokenExpectation, type RemoteJwks, verifyIdToken } from '../support/internals'
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
/** Unpublished, with the key ID `rsa`. */
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
    {
      issuer: ISSUER,
      clientId: CLIENT_ID,
      nonce: NONCE,
      accessToken: ACCESS_TOKEN,
      now,
      serverDate: now,
      ...changes,
    },
    { keys },
  )
}

const signatureBytes = (token: string) => Buffer.from(token.split('.')[2] ?? '', 'base64url')
const sha256 = (text: string) => createHash('sha256').update(text).digest()
const half = (text: string) => base64url(sha256(text).subarray(0, 16))

/** The claim or field that causes the rejection. */
async function rejection(
  token: string,
  changes: Partial<IdTokenExpectation> = {},
): Promise<string | undefined> {
  const error: unknown = await verify(token, changes).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'ProtocolError', code: 'invalid_id_token', retryable: false })
  return error instanceof ProtocolError ? error.path : undefined
}

/** The claim or field that causes the rejection of valid claims with these changes. */
async function claimRefusal(
  changes: Record<string, unknown>,
  expectation: Partial<IdTokenExpectation> = {},
): Promise<string | undefined> {
  return rejection(await issuer.sign(rsa, changes), expectation)
}

describe('a valid ID token', () => {
  it.each(['RS256', 'ES256'])('is accepted when signed with %s', async (alg) => {
    const token = await issuer.sign(alg === 'RS256' ? rsa : ec)
    expect(await verify(token)).toEqual({ claims: issuer.claims(), skew: 0 })
  })

  it('is accepted with our ID as the only audience of a list, with azp, and with unknown claims', async () => {
    const token = await issuer.sign(rsa, { aud: [CLIENT_ID], azp: CLIENT_ID, name: 'Ana', nbf: issuer.at(0) })
    expect((await verify(token)).claims).toMatchObject({ aud: [CLIENT_ID], name: 'Ana' })
  })

  it.each(['jwt', 'JWT', undefined])('is accepted with typ %s', async (typ) => {
    expect((await verify(await signHeader(rsa, { typ }, JSON.stringify(issuer.claims())))).claims.sub).toBe(
      USER_ID,
    )
  })

  it('is accepted without a nonce if none was sent', async () => {
    const { claims } = await verify(await issuer.sign(rsa, { nonce: undefined }), { nonce: undefined })
    expect(claims.nonce).toBeUndefined()
  })
})

describe('an ID token that the service did not sign', () => {
  it('attack/61 is rejected: another key with the same key ID', async () => {
    expect(await rejection(await issuer.sign(foreign))).toBe('signature')
  })

  it.each(['RS256', 'ES256'])(
    'attack/61 is rejected: %s, other claims with a valid signature',
    async (alg) => {
      const [header, , signature] = (await issuer.sign(alg === 'RS256' ? rsa : ec)).split('.')
      expect(
        await rejection(`${header}.${base64url(JSON.stringify(issuer.claims({ sub: '1' })))}.${signature}`),
      ).toBe('signature')
    },
  )

  it.each(['RS256', 'ES256'])(
    'attack/61 is rejected: %s, signature of zeros, truncated, or absent',
    async (alg) => {
      const [header, payload, signature = ''] = (await issuer.sign(alg === 'RS256' ? rsa : ec)).split('.')
      expect(
        await rejection(`${header}.${payload}.${base64url(new Uint8Array(alg === 'RS256' ? 256 : 64))}`),
      ).toBe('signature')
      expect(await rejection(`${header}.${payload}.${signature.slice(0, 40)}`)).toBe('signature')
      expect(await rejection(`${header}.${payload}.`)).toBe('signature')
    },
  )

  it.each(['none', 'None', 'NONE', ''])(
    'attack/62 is rejected: alg "%s", with and without a third part',
    async (alg) => {
      const unsigned = `${base64url(JSON.stringify({ alg, kid: 'rsa' }))}.${base64url(JSON.stringify(issuer.claims()))}`
      expect(await rejection(`${unsigned}.`)).toBe('header.alg')
      expect(await rejection(`${unsigned}.anVuaw`)).toBe('header.alg')
      expect(await rejection(unsigned)).toBe('id_token')
    },
  )

  it('attack/63 is rejected: HS256 with the application ID or the public key as secret', async () => {
    const input = `${base64url(JSON.stringify({ alg: 'HS256', kid: 'rsa' }))}.${base64url(JSON.stringify(issuer.claims()))}`
    const pem = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    for (const secret of [CLIENT_ID, pem, JSON.stringify(rsa.jwk), rsa.jwk.n ?? '']) {
      expect(
        await rejection(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`),
      ).toBe('header.alg')
    }
  })

  it('attack/63 is rejected even if the service publishes a symmetric key', async () => {
    issuer.published = [{ kty: 'oct', k: base64url('secret'), kid: 'rsa', alg: 'RS256' }]
    expect(await rejection(await issuer.sign(rsa))).toBe('header.kid')
  })

  it.each(['RS384', 'RS512', 'PS256', 'ES384', 'EdDSA', 'rs256', 'RS256 ', 256, null, undefined])(
    'attack/64 is rejected: alg %s',
    async (alg) => {
      expect(await rejection(await signHeader(rsa, { alg }, JSON.stringify(issuer.claims())))).toBe(
        'header.alg',
      )
    },
  )

  it('attack/64 is rejected: key ID of a key for the other algorithm', async () => {
    expect(await rejection(await issuer.sign(ec, {}, { kid: 'rsa' }))).toBe('header.kid')
    issuer.published = [{ ...rsa.jwk, alg: 'RS512' }]
    keys = issuer.keySet()
    expect(await rejection(await issuer.sign(rsa))).toBe('header.kid')
  })

  it('attack/65 is rejected: contains a key or its URL', async () => {
    const own = {
      jwk: foreign.jwk,
      jku: 'https://evil.test/keys',
      x5u: 'https://evil.test/cert',
      x5c: ['MIIB'],
    }
    const claims = JSON.stringify(issuer.claims())
    expect(await rejection(await signHeader(foreign, own, claims))).toBe('signature')
    expect(await rejection(await signHeader(foreign, { ...own, kid: undefined }, claims))).toBe('signature')
    expect(await rejection(await signHeader(foreign, { ...own, kid: 'own' }, claims))).toBe('header.kid')
    expect(new Set(issuer.requests)).toEqual(new Set([KEYS_URL]))
    await expect(verify(await signHeader(rsa, own, claims))).resolves.toBeDefined()
  })
})

describe('a malformed ID token', () => {
  it.each([
    ['attack/66', 'crit', ['exp']],
    ['attack/66', 'crit', []],
    ['attack/66', 'crit', null],
    ['attack/67', 'b64', false],
    ['attack/67', 'b64', true],
    ['attack/67', 'enc', 'A256GCM'],
    ['attack/67', 'zip', 'DEF'],
  ])('%s is rejected: header %s %j', async (_row, name, value) => {
    expect(await rejection(await signHeader(rsa, { [name]: value }, JSON.stringify(issuer.claims())))).toBe(
      `header.${name}`,
    )
  })

  it('attack/67 is rejected: encrypted', async () => {
    const key = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' })
    const token = await new CompactEncrypt(Buffer.from(JSON.stringify(issuer.claims())))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
      .encrypt(key)
    expect(await rejection(token)).toBe('id_token')
  })

  it('attack/157 is rejected if its claims are nested 5,000 deep, even with a valid signature', async () => {
    const text = JSON.stringify(issuer.claims()).replace(/}$/, `,"x":${'['.repeat(5000)}${']'.repeat(5000)}}`)
    expect(await rejection(await signText(rsa, text))).toBe('payload')
    expect(
      (await verify(await issuer.sign(rsa, { address: { list: [{ country: 'NZ' }] } }))).claims.sub,
    ).toBe(USER_ID)
  })

  it('attack/67 is rejected: nested, detached, in two or four parts', async () => {
    const token = await issuer.sign(rsa)
    const [header, payload, signature] = token.split('.')
    expect(await rejection(await signText(rsa, token, { cty: 'JWT' }))).toBe('payload')
    expect(await rejection(`${header}..${signature}`)).toBe('signature')
    expect(await rejection(`${header}.${payload}`)).toBe('id_token')
    expect(await rejection(`${token}.`)).toBe('id_token')
    expect(await rejection('')).toBe('id_token')
  })

  it.each([
    ['trailing white space', (part: string) => `${part}\n`],
    ['leading white space', (part: string) => ` ${part}`],
    ['padding', (part: string) => `${part}=`],
    ['the base64 alphabet', (part: string) => `${part}+/+/`],
    ['a character beyond ASCII', (part: string) => `${part}\u0101AAA`],
    ['a stray character', (part: string) => `${part}${'A'.repeat(1 + ((4 - (part.length % 4)) % 4))}`],
  ])('attack/67 is rejected: %s in any part', async (_name, spoil) => {
    const parts = (await issuer.sign(rsa)).split('.')
    for (const [i, name] of ['header', 'payload', 'signature'].entries()) {
      const spoilt = parts.map((part, k) => (k === i ? spoil(part) : part)).join('.')
      expect(await rejection(spoilt)).toBe(name)
    }
  })

  it('attack/67 is rejected: non-canonical base64url of the same bytes', async () => {
    const token = await issuer.sign(rsa)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const other = token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(token.slice(-1)) + 1)
    expect(signatureBytes(other)).toEqual(signatureBytes(token))
    expect(await rejection(other)).toBe('signature')
  })

  it.each(['at+jwt', 'logout+jwt', 'application/jwt', '', null, 1])(
    'attack/68 is rejected: typ %s',
    async (typ) => {
      expect(await rejection(await signHeader(rsa, { typ }, JSON.stringify(issuer.claims())))).toBe(
        'header.typ',
      )
    },
  )

  it.each(['', 'null', '[]', '"text"', '{', '\uFEFF{}'])(
    'is rejected if its payload is %j',
    async (payload) => {
      expect(await rejection(await signText(rsa, payload))).toBe('payload')
    },
  )

  it('is rejected if it is larger than 16 kB', async () => {
    expect(await rejection(await issuer.sign(rsa, { name: 'x'.repeat(16_384) }))).toBe('id_token')
    expect(issuer.requests).toEqual([])
  })

  it('is rejected if kid is not a string', async () => {
    expect(await rejection(await signHeader(rsa, { kid: 1 }, JSON.stringify(issuer.claims())))).toBe(
      'header.kid',
    )
  })
})

describe('an ID token of another issuer, audience, user or sign-in', () => {
  it.each([
    `${ISSUER}/`,
    ISSUER.toUpperCase(),
    'http://service.test',
    'https://evil.test',
    '',
    null,
    [ISSUER],
  ])('attack/69 is rejected: iss %j', async (iss) => {
    expect(await claimRefusal({ iss })).toBe('iss')
  })

  it('attack/70 is rejected: no iss', async () => {
    expect(await claimRefusal({ iss: undefined })).toBe('iss')
  })

  it.each([
    ['2'],
    '2',
    `${CLIENT_ID} `,
    [],
    '',
    null,
    Number(CLIENT_ID),
    { 0: CLIENT_ID, length: 1 },
    [[CLIENT_ID]],
    undefined,
  ])('attack/71 is rejected: aud %j', async (aud) => {
    expect(await claimRefusal({ aud })).toBe('aud')
  })

  it('attack/72 is rejected: an additional audience', async () => {
    expect(await claimRefusal({ aud: [CLIENT_ID, '2'] })).toBe('aud')
    expect(await claimRefusal({ aud: [CLIENT_ID, CLIENT_ID] })).toBe('aud')
  })

  it('attack/73 is rejected: an additional audience that is the authorized party', async () => {
    expect(await claimRefusal({ aud: [CLIENT_ID, '2'], azp: '2' })).toBe('aud')
    expect(await claimRefusal({ aud: [CLIENT_ID, '2'], azp: CLIENT_ID })).toBe('aud')
  })

  it.each(['2', '', null, [CLIENT_ID]])('attack/74 is rejected: our audience with azp %j', async (azp) => {
    expect(await claimRefusal({ azp })).toBe('azp')
  })

  it.each([`${NONCE}x`, NONCE.slice(1), NONCE.toLowerCase(), '', null, [NONCE]])(
    'attack/81 is rejected: nonce %j',
    async (nonce) => {
      expect(await claimRefusal({ nonce })).toBe('nonce')
    },
  )

  it('attack/82 is rejected: no nonce', async () => {
    expect(await claimRefusal({ nonce: undefined })).toBe('nonce')
  })

  it('attack/83 is rejected: a nonce although none was sent', async () => {
    expect(await claimRefusal({}, { nonce: undefined })).toBe('nonce')
    expect(await claimRefusal({ nonce: null }, { nonce: undefined })).toBe('nonce')
    expect(await claimRefusal({ nonce: '' }, { nonce: undefined })).toBe('nonce')
  })

  it.each([undefined, Number(USER_ID), null, [USER_ID]])('attack/84 is rejected: sub %j', async (sub) => {
    expect(await claimRefusal({ sub })).toBe('sub')
  })

  it.each(['', '1'.repeat(256), 'ana', '-1', '01', '1.0', '18446744073709551616', ` ${USER_ID}`])(
    'attack/85 is rejected: sub %j',
    async (sub) => {
      expect(await claimRefusal({ sub })).toBe('sub')
    },
  )

  it('attack/86 is rejected: the hash of another access token', async () => {
    await expect(verify(await issuer.sign(rsa, { at_hash: half(ACCESS_TOKEN) }))).resolves.toBeDefined()
    for (const wrong of [
      half('another'),
      base64url(sha256(ACCESS_TOKEN)),
      base64url(sha256(ACCESS_TOKEN).subarray(16)),
      '',
      null,
      1,
    ]) {
      expect(await claimRefusal({ at_hash: wrong })).toBe('at_hash')
    }
  })

  it('attack/87 attack/88 cannot be hybrid and has no max_age, since neither is requested', async () => {
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

describe('an ID token of another time', () => {
  it('attack/75 is rejected: expired by the server’s clock', async () => {
    const old = { iat: issuer.at(-7200), exp: issuer.at(-61) }
    expect(await claimRefusal(old)).toBe('exp')
    expect(
      await claimRefusal({ ...old, nonce: undefined }, { nonce: undefined, serverDate: undefined }),
    ).toBe('exp')
    expect(await claimRefusal({ iat: issuer.at(-240), exp: issuer.at(-61) }, { serverDate: undefined })).toBe(
      'exp',
    )
    const serverDate = issuer.clock.now() + 86_400_000
    expect(await claimRefusal({ nonce: undefined }, { nonce: undefined, serverDate })).toBe('exp')
  })

  it('is accepted despite a wrong Date header: the nonce-bound iat and the local clock outvote it', async () => {
    for (const serverDate of [
      Date.parse('1'),
      Date.parse('Fri, 31 Dec 1999 23:59:59 GMT'),
      issuer.clock.now() + 86_400_000,
    ])
      expect(await verify(await issuer.sign(rsa), { serverDate })).toMatchObject({ skew: 0 })
  })

  it('is verified by its nonce-bound iat if both the Date header and the local clock are wrong', async () => {
    const [now, serverDate] = [issuer.clock.now() + 30 * 3_600_000, Date.parse('1')]
    expect(await verify(await issuer.sign(rsa), { now, serverDate })).toMatchObject({ skew: -30 * 3_600_000 })
    expect(await claimRefusal({}, { now: now + 30 * 3_600_000, serverDate })).toBe('iat')
  })

  it('attack/75 tolerates one minute', async () => {
    await expect(
      verify(await issuer.sign(rsa, { iat: issuer.at(-600), exp: issuer.at(-59) })),
    ).resolves.toBeDefined()
    expect(await claimRefusal({ iat: issuer.at(-600), exp: issuer.at(-60) })).toBe('exp')
  })

  it('attack/75 is verified by the corrected clock: a machine that is hours ahead or behind can sign in', async () => {
    for (const hours of [-30, 30]) {
      const now = issuer.clock.now() + hours * 3_600_000
      const token = await issuer.sign(rsa)
      expect(await verify(token, { now, serverDate: issuer.clock.now() })).toMatchObject({
        skew: -hours * 3_600_000,
      })
      expect(await verify(token, { now, serverDate: undefined })).toMatchObject({ skew: -hours * 3_600_000 })
    }
  })

  it.each(['exp', 'iat'])(
    'attack/76 attack/77 is rejected: %s absent or not a finite number',
    async (claim) => {
      for (const value of [undefined, null, String(issuer.at(0)), [issuer.at(0)], true])
        expect(await claimRefusal({ [claim]: value })).toBe(claim)
      const text = JSON.stringify(issuer.claims({ [claim]: 0 })).replace(`"${claim}":0`, `"${claim}":1e400`)
      expect(await rejection(await signText(rsa, text))).toBe(claim)
    },
  )

  it('attack/78 is rejected: issued a day ahead of the server’s clock, or of a local clock that is not proven wrong', async () => {
    const future = { iat: issuer.at(86_400), exp: issuer.at(90_000) }
    expect(await claimRefusal(future)).toBe('iat')
    expect(
      await claimRefusal({ ...future, nonce: undefined }, { nonce: undefined, serverDate: undefined }),
    ).toBe('iat')
    expect((await verify(await issuer.sign(rsa, future), { serverDate: undefined })).skew).toBe(86_400_000)
  })

  it('attack/78 is rejected: a correction of more than 48 hours', async () => {
    for (const seconds of [172_801, -172_801]) {
      expect(
        await claimRefusal(
          { iat: issuer.at(seconds), exp: issuer.at(seconds + 3600) },
          { serverDate: undefined },
        ),
      ).toBe('iat')
    }
  })

  it('attack/78 is rejected: a lifetime of zero or less', async () => {
    for (const exp of [issuer.at(0), issuer.at(-1)]) expect(await claimRefusal({ exp })).toBe('exp')
  })

  it('attack/78 does not correct the clock if its lifetime exceeds 48 hours', async () => {
    const future = { iat: issuer.at(86_400), exp: issuer.at(86_400 + 172_801) }
    expect(await claimRefusal(future, { serverDate: undefined })).toBe('iat')
    await expect(verify(await issuer.sign(rsa, { exp: issuer.at(604_800) }))).resolves.toBeDefined()
  })

  it('attack/79 is rejected: a week old, whatever its exp', async () => {
    expect(await claimRefusal({ iat: issuer.at(-172_830), exp: issuer.at(-30) })).toBe('iat')
    const iat = issuer.at(-604_800)
    expect(await claimRefusal({ iat })).toBe('iat')
    expect(await claimRefusal({ iat, exp: iat + 3600 })).toBe('exp')
    expect(await claimRefusal({ iat, exp: iat + 3600 }, { serverDate: undefined })).toBe('iat')
  })

  it('attack/80 is rejected: not yet valid', async () => {
    expect(await claimRefusal({ nbf: issuer.at(61) })).toBe('nbf')
    expect(await claimRefusal({ nbf: '0' })).toBe('nbf')
    expect(await claimRefusal({ nbf: null })).toBe('nbf')
    await expect(verify(await issuer.sign(rsa, { nbf: issuer.at(60) }))).resolves.toBeDefined()
  })
})

describe('the error of a rejected ID token', () => {
  it('contains no token, nonce or error of the signature library', async () => {
    const token = await issuer.sign(foreign, { nonce: 'other' })
    for (const bad of [token, await issuer.sign(rsa, { nonce: 'other' }), token.slice(1), `${token}.x`]) {
      const error: unknown = await verify(bad).catch((reason: unknown) => reason)
      const shown = `${inspect(error, { depth: null, showHidden: true })}${JSON.stringify(error)}`
      for (const secret of [
        ...bad.split('.').filter((part) => part.length > 5),
        ACCESS_TOKEN,
        NONCE,
        USER_ID,
      ])
        expect(shown).not.toContain(secret)
      expect(error).not.toHaveProperty('cause')
    }
  })
})
