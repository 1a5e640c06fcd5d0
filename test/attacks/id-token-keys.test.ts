/** Attacks through the JWKS: weak, broken, changed, removed and missing keys. */
import { exportJWK, type JWK } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ProtocolError } from 'foyer-sdk'
import { type IdTokenExpectation, type RemoteJwks, verifyIdToken } from '../support/internals'
import {
  ACCESS_TOKEN,
  base64url,
  CLIENT_ID,
  createKey,
  ISSUER,
  NONCE,
  type SigningKey,
  TokenIssuer,
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

const withoutId = ({ kid: _kid, ...jwk }: SigningKey['jwk']): JWK => jwk

/** The claim or field that causes the rejection. */
async function rejection(
  token: string,
  changes: Partial<IdTokenExpectation> = {},
): Promise<string | undefined> {
  const error = await verify(token, changes).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ name: 'ProtocolError', code: 'invalid_id_token', retryable: false })
  return error instanceof ProtocolError ? error.path : undefined
}

/** `accepted`, the part of the token that is refused, or the code of another error. */
const outcome = (token: string): Promise<unknown> =>
  verify(token).then(
    () => 'accepted',
    (error: ProtocolError) => (error.code === 'invalid_id_token' ? error.path : error.code),
  )

describe('the keys of the service', () => {
  it('attack/89 are each tried for a token without kid, at most four', async () => {
    const others = await Promise.all(['a', 'b', 'c', 'd'].map((kid) => createKey('ES256', kid)))
    const token = await issuer.sign(ec, {}, { kid: undefined })
    issuer.published = [...others.slice(0, 3), rsa, ec].map(({ jwk }) => withoutId(jwk))
    await expect(verify(token)).resolves.toBeDefined()
    issuer.published = [...others, ec].map(({ jwk }) => jwk)
    keys = issuer.keySet()
    expect(await rejection(token)).toBe('signature')
  })

  it('attack/89 may be a single key, with or without kid', async () => {
    issuer.published = [withoutId(rsa.jwk)]
    await expect(verify(await issuer.sign(rsa, {}, { kid: undefined }))).resolves.toBeDefined()
    issuer.published = [rsa.jwk]
    keys = issuer.keySet()
    await expect(verify(await issuer.sign(rsa, {}, { kid: undefined }))).resolves.toBeDefined()
    expect(await rejection(await issuer.sign(ec, {}, { kid: undefined }))).toBe('header.alg')
  })

  it('attack/90 are not used if they are weak, of another curve, or for another use', async () => {
    const small = { kty: 'RSA', e: 'AQAB', n: base64url(new Uint8Array(128).fill(0xff)), kid: 'rsa' }
    const padded = {
      ...small,
      n: base64url(Buffer.concat([new Uint8Array(200), new Uint8Array(128).fill(0xff)])),
    }
    const almost = {
      ...small,
      n: base64url(Buffer.concat([new Uint8Array([0x7f]), new Uint8Array(255).fill(0xff)])),
    }
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
      expect(await rejection(await issuer.sign(rsa))).toBe('header.kid')
    }
    for (const crv of ['P-192', 'P-384', 'secp256k1']) {
      issuer.published = [{ ...ec.jwk, crv }]
      keys = issuer.keySet()
      expect(await rejection(await issuer.sign(ec))).toBe('header.kid')
    }
  })

  it('attack/90 lose their private part', async () => {
    issuer.published = [
      {
        ...(await exportJWK(rsa.privateKey)),
        kid: 'rsa',
        use: 'sig',
        key_ops: ['sign', 'verify'],
        ext: true,
      },
    ]
    await expect(verify(await issuer.sign(rsa))).resolves.toBeDefined()
    const [key] = await keys.find({ alg: 'RS256', kid: 'rsa' })
    expect(key).toEqual({ kty: 'RSA', n: rsa.jwk.n, e: rsa.jwk.e })
  })

  it('attack/91 stay usable if one of them is broken', async () => {
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

  it('attack/92 are not fetched for every unknown key ID', async () => {
    await verify(await issuer.sign(rsa))
    const storm = async (part: string) => {
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, i) => issuer.sign(foreign, {}, { kid: `${issuer.clock.now()}-${i}` })),
      )
      await Promise.all(
        tokens.map(async (token) => {
          expect(await outcome(token)).toBe(part)
        }),
      )
      for (const token of tokens) expect(await outcome(token)).toBe(part)
    }
    await storm('header.kid')
    expect(issuer.requests).toHaveLength(2)
    issuer.clock.advance(29_999)
    // Nobody has looked for these: one of them may be the service's new key.
    await storm('keys_unavailable')
    expect(issuer.requests).toHaveLength(2)
    issuer.clock.advance(1)
    await storm('header.kid')
    expect(issuer.requests).toHaveLength(3)
  })

  it('attack/92 are fetched again 30 s after a search, and until then nobody but the searched key ID is called unknown', async () => {
    await verify(await issuer.sign(rsa))
    const junk = (kid: string | undefined) => issuer.sign(foreign, {}, { kid })
    expect(await outcome(await junk('searched'))).toBe('header.kid')
    const next = await createKey('RS256', 'next')
    issuer.published = [rsa.jwk, next.jwk]
    for (const kid of ['other', '', ...Array.from({ length: 200 }, (_, i) => `junk-${i}`)]) {
      expect(await outcome(await junk(kid))).toBe('keys_unavailable')
    }
    expect(await outcome(await junk('searched'))).toBe('header.kid')
    expect(await outcome(await issuer.sign(next))).toBe('keys_unavailable')
    expect(await outcome(await issuer.sign(rsa))).toBe('accepted')
    expect(issuer.requests).toHaveLength(2)
    issuer.clock.advance(30_000)
    expect(await outcome(await junk('third'))).toBe('header.kid')
    expect(await outcome(await issuer.sign(next))).toBe('accepted')
    expect(issuer.requests).toHaveLength(3)
  })

  it('attack/93 are fetched at once if the service changed its key just after the cache was filled', async () => {
    await verify(await issuer.sign(rsa))
    const next = await createKey('RS256', 'next')
    issuer.published = [next.jwk]
    await expect(verify(await issuer.sign(next))).resolves.toBeDefined()
    expect(issuer.requests).toHaveLength(2)
  })

  it('attack/94 are dropped within ten minutes after the service removed them', async () => {
    await verify(await issuer.sign(rsa))
    issuer.published = [ec.jwk]
    issuer.clock.advance(600_000 - 1)
    await expect(verify(await issuer.sign(rsa))).resolves.toBeDefined()
    issuer.clock.advance(1)
    expect(await rejection(await issuer.sign(rsa))).toBe('header.kid')
  })

  it('attack/94 are used for at most a day while they cannot be fetched', async () => {
    await verify(await issuer.sign(rsa))
    issuer.answer = () => Promise.reject(new TypeError('offline'))
    issuer.clock.advance(24 * 3_600_000 - 1)
    await expect(verify(await issuer.sign(rsa))).resolves.toBeDefined()
    issuer.clock.advance(1)
    await expect(verify(await issuer.sign(rsa))).rejects.toMatchObject({
      code: 'keys_unavailable',
      retryable: true,
    })
  })

  it('attack/95 may be unavailable: the same token is verified later', async () => {
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
      await expect(verify(token)).rejects.toMatchObject({
        name: 'ProtocolError',
        code: 'keys_unavailable',
        retryable: true,
      })
    }
    issuer.answer = undefined
    await expect(verify(token)).resolves.toBeDefined()
  })
})
