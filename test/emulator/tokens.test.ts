/** Codes and tokens: single use, rotation, expiry, and the rule of each rejection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  call,
  control,
  exchange,
  getCode,
  json,
  postForm,
  redirectUri,
  refresh,
  rejectionOf,
  signIn,
} from './support/sign-in-client.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

const invalidCode = { status: 400, error: 'invalid_grant', description: 'Invalid "code" in request.' }
const invalidRefresh = {
  status: 400,
  error: 'invalid_grant',
  description: 'Invalid "refresh_token" in request',
}

/** Sends to the token endpoint. */
const form = (fields: Record<string, string>) =>
  postForm(emulator, '/oauth2/token', { client_id: emulator.application.id, ...fields })
const account = (path: string, body: object) =>
  fetch(`${emulator.url}/api/v10/partner-sdk/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: emulator.application.id, ...body }),
  })

describe('a secret that was sent as the text [secret] is named', () => {
  const says = 'is the text [secret]: send its reveal(), or call client.backend.fetch'
  const oidc = { external_auth_type: 'OIDC' }

  it.each<[what: string, send: () => Promise<Response>]>([
    ['the access token', () => call(emulator, '/users/@me', '[secret]')],
    [
      'the bot token',
      () => fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bot [secret]' } }),
    ],
    ['refresh_token', () => refresh(emulator, '[secret]')],
    ['code', () => exchange(emulator, { code: '[secret]', verifier: 'x'.repeat(43) })],
    [
      'code_verifier',
      async () =>
        form({
          grant_type: 'authorization_code',
          code: (await getCode(emulator)).code,
          redirect_uri: redirectUri,
          code_verifier: '[secret]',
        }),
    ],
    [
      'client_secret',
      async () =>
        form({
          grant_type: 'authorization_code',
          code: (await getCode(emulator)).code,
          redirect_uri: redirectUri,
          client_secret: '[secret]',
        }),
    ],
    ['external_auth_token', () => account('token', { ...oidc, external_auth_token: '[secret]' })],
    [
      'client_secret',
      () => account('token', { ...oidc, external_auth_token: 'emu:a', client_secret: '[secret]' }),
    ],
  ])('as %s', async (what, send) => {
    const response = await send()
    expect(response.ok).toBe(false)
    expect(response.headers.get('x-emulator-rule')).toContain(`${what} ${says}`)
  })
})

describe('an authorization code', () => {
  it('works once; a second use also revokes the tokens of the first', async () => {
    const code = await getCode(emulator)
    const tokens = await json(await exchange(emulator, code))
    const again = await rejectionOf(await exchange(emulator, code))
    expect(again).toMatchObject(invalidCode)
    expect(again.rule).toMatch(/^code was used before/)
    expect((await call(emulator, '/users/@me', String(tokens['access_token']))).status).toBe(401)
    expect((await rejectionOf(await refresh(emulator, String(tokens['refresh_token'])))).rule).toMatch(
      /^refresh_token no longer works/,
    )
    expect((await rejectionOf(await exchange(emulator, code))).rule).toMatch(/^code no longer works/)
  })

  it('sent twenty times at once works once', async () => {
    const code = await getCode(emulator)
    const responses = await Promise.all(Array.from({ length: 20 }, () => exchange(emulator, code)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is rejected after 100 seconds', async () => {
    const code = await getCode(emulator)
    emulator.advance(101_000)
    expect(await rejectionOf(await exchange(emulator, code))).toEqual({
      ...invalidCode,
      rule: 'code is expired',
    })
  })

  it('is rejected with a wrong verifier, by a rule that differs from that of a used code', async () => {
    const { code } = await getCode(emulator)
    const reply = await rejectionOf(await exchange(emulator, { code, verifier: 'x'.repeat(43) }))
    expect(reply).toEqual({
      ...invalidCode,
      rule: 'code_verifier does not match the code_challenge of the request',
    })
  })

  it('is rejected without a verifier, with the service’s message', async () => {
    const { code } = await getCode(emulator)
    const reply = await rejectionOf(
      await postForm(emulator, '/oauth2/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
      }),
    )
    expect(reply).toEqual({
      status: 400,
      error: 'invalid_request',
      description: 'Missing "code_verifier"',
      rule: 'code_verifier is missing',
    })
  })

  it('is rejected with another redirect URI than that of the request', async () => {
    const { code, verifier } = await getCode(emulator)
    const fields = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: 'http://127.0.0.1:1/callback',
    }
    expect(await rejectionOf(await postForm(emulator, '/oauth2/token', fields))).toEqual({
      ...invalidCode,
      rule: 'redirect_uri is not the one of the authorization request',
    })
  })

  it('that was never issued is rejected with that rule', async () => {
    expect(
      (await rejectionOf(await exchange(emulator, { code: 'made-up', verifier: 'x'.repeat(43) }))).rule,
    ).toBe('code was never issued here')
  })

  it('is not accepted from a JSON body', async () => {
    const { code, verifier } = await getCode(emulator)
    const fields = {
      client_id: emulator.application.id,
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${emulator.url}/api/v10/oauth2/token`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fields),
    })
    expect(await rejectionOf(response)).toMatchObject({
      status: 400,
      error: 'invalid_request',
      rule: 'body is not form-encoded',
    })
  })
})

describe('a refresh', () => {
  it('returns a new pair and revokes the old refresh token', async () => {
    const first = await signIn(emulator)
    const second = await json(await refresh(emulator, first.refreshToken))
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 604_800, scope: first.scopes.join(' ') })
    expect(second['refresh_token']).not.toBe(first.refreshToken)
    expect((await call(emulator, '/users/@me', String(second['access_token']))).status).toBe(200)
    expect((await call(emulator, '/users/@me', first.accessToken)).status).toBe(200)
  })

  it.each(['openid identify guilds', 'sdk.social_layer', 'openid nonsense', 'openid identify email'])(
    'with the scope %s, which was not granted, is refused and ends nothing (RFC 6749 section 6)',
    async (scope) => {
      const { refreshToken } = await signIn(emulator, 'ada', { scope: 'openid identify' })
      const fields = { grant_type: 'refresh_token', refresh_token: refreshToken }
      const wider = await rejectionOf(await postForm(emulator, '/oauth2/token', { ...fields, scope }))
      expect(wider).toMatchObject({ status: 400, error: 'invalid_scope' })
      const narrower = await postForm(emulator, '/oauth2/token', { ...fields, scope: 'openid' })
      expect(await json(narrower)).toMatchObject({ scope: 'openid' })
    },
  )

  it('with a used token is rejected and revokes the whole token family', async () => {
    const first = await signIn(emulator)
    const second = await json(await refresh(emulator, first.refreshToken))
    const reuse = await rejectionOf(await refresh(emulator, first.refreshToken))
    expect(reuse).toMatchObject(invalidRefresh)
    expect(reuse.rule).toMatch(/^refresh_token was used before/)
    expect(await rejectionOf(await refresh(emulator, String(second['refresh_token'])))).toMatchObject(
      invalidRefresh,
    )
    expect((await call(emulator, '/users/@me', String(second['access_token']))).status).toBe(401)
  })

  it('sent twenty times at once works once', async () => {
    const { refreshToken } = await signIn(emulator)
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(emulator, refreshToken)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('revoking one token', () => {
  it.each(['accessToken', 'refreshToken'] as const)(
    'by its %s revokes every token of that player and of nobody else',
    async (which) => {
      const [first, second, other] = [
        await signIn(emulator, 'ada'),
        await signIn(emulator, 'ada'),
        await signIn(emulator, 'bruno'),
      ]
      const response = await postForm(emulator, '/oauth2/token/revoke', { token: first[which] })
      expect(response.status).toBe(200)
      for (const { accessToken, refreshToken } of [first, second]) {
        const rejected = await call(emulator, '/users/@me', accessToken)
        expect([rejected.status, rejected.headers.get('x-emulator-rule')]).toEqual([
          401,
          expect.stringMatching(/revoked/),
        ])
        expect(await rejectionOf(await refresh(emulator, refreshToken))).toMatchObject(invalidRefresh)
      }
      expect((await call(emulator, '/users/@me', other.accessToken)).status).toBe(200)
    },
  )

  it('responds with 200 for a token that was never issued', async () => {
    expect((await postForm(emulator, '/oauth2/token/revoke', { token: 'made-up' })).status).toBe(200)
  })
})

describe('a game’s backend', () => {
  it.each(['form', 'basic'])('may send the client secret as %s, and a wrong one is rejected', async (way) => {
    const { id, clientSecret } = emulator.application
    const send = async (secret: string) => {
      const { code, verifier } = await getCode(emulator)
      const fields = {
        client_id: id,
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }
      const body = new URLSearchParams(way === 'form' ? { ...fields, client_secret: secret } : fields)
      const headers: Record<string, string> =
        way === 'form' ? {} : { authorization: `Basic ${btoa(`${id}:${secret}`)}` }
      return fetch(`${emulator.url}/api/v10/oauth2/token`, { method: 'POST', headers, body })
    }
    expect((await send(clientSecret)).status).toBe(200)
    expect(await rejectionOf(await send('emu_client_wrong'))).toMatchObject({
      status: 401,
      error: 'invalid_client',
    })
  })
})

async function ruleFor(token: string): Promise<string | null> {
  return (await call(emulator, '/users/@me', token)).headers.get('x-emulator-rule')
}

describe('tokens ended by a test', () => {
  it('expire for one player only, and the refresh token stays valid', async () => {
    const [mine, other] = [await signIn(emulator, 'chiyo'), await signIn(emulator, 'zoe')]
    emulator.tokens({ user: 'chiyo', action: 'expire' })
    expect([await ruleFor(mine.accessToken), await ruleFor(other.accessToken)]).toEqual([
      'the access token is expired',
      null,
    ])
    const next = await json(await refresh(emulator, mine.refreshToken))
    expect(await ruleFor(String(next['access_token']))).toBeNull()
  })

  it('include refresh tokens on request', async () => {
    const { accessToken, refreshToken } = await signIn(emulator, 'chiyo')
    emulator.tokens({ user: 'chiyo', action: 'expire', kind: 'refresh' })
    expect(await ruleFor(accessToken)).toBeNull()
    expect(await rejectionOf(await refresh(emulator, refreshToken))).toEqual({
      ...invalidRefresh,
      rule: 'refresh_token is expired',
    })
  })

  it('are revoked like tokens of a player who revoked the authorization', async () => {
    const { accessToken, refreshToken } = await signIn(emulator, 'chiyo')
    expect((await control(emulator, '/tokens', { user: 'chiyo', action: 'revoke' })).status).toBe(204)
    expect(await ruleFor(accessToken)).toMatch(/revoked/)
    expect(await rejectionOf(await refresh(emulator, refreshToken))).toMatchObject(invalidRefresh)
  })

  it.each([
    [{ user: 'nobody', action: 'revoke' }],
    [{ user: 'ada', action: 'lose' }],
    [{ user: 'ada', action: 'expire', kind: 'id' }],
  ])('are rejected for %o', async (body) => {
    expect((await control(emulator, '/tokens', body)).status).toBe(400)
  })
})

describe('a strict refresh', () => {
  it('revokes the old access token, too, and no other sign-in of the player', async () => {
    const strict = await createEmulator({ strictRefresh: true })
    const [first, second] = [await signIn(strict), await signIn(strict)]
    const next = await json(await refresh(strict, first.refreshToken))
    const old = await call(strict, '/users/@me', first.accessToken)
    expect([old.status, old.headers.get('x-emulator-rule')]).toEqual([
      401,
      'the access token no longer works: a refresh gave a new one',
    ])
    for (const token of [String(next['access_token']), second.accessToken])
      expect((await call(strict, '/users/@me', token)).status).toBe(200)
    await strict.close()
  })
})
