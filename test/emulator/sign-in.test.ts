/** Signing in with an independent client library. */
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  beginSignIn,
  call,
  claimsIn,
  getCode,
  json,
  postForm,
  redirectUri,
  rejectionOf,
  signIn,
} from './support/sign-in-client.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

const advised = async (scope: string) => {
  emulator.reset()
  const { headers, status } = await fetch((await beginSignIn(emulator, { scope })).url, {
    redirect: 'manual',
  })
  const logged = emulator.requests.map(({ advice }) => advice)
  expect([status, logged]).toEqual([303, [headers.get('x-emulator-advice') ?? undefined]])
  return headers.get('x-emulator-advice')
}

const redeemCode = (code: string, fields: Record<string, string>) =>
  postForm(emulator, '/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...fields,
  })

const fetchDiscovery = async () => json(await fetch(`${emulator.url}/.well-known/openid-configuration`))

const responseIn = async (mode: string) => {
  const { redirect } = await emulator.authorize((await beginSignIn(emulator, { response_mode: mode })).url, {
    as: 'ada',
  })
  const { search, hash } = new URL(redirect)
  return [search, hash.slice(1)].map((part) =>
    [...new URLSearchParams(part).keys()].filter((key) => key === 'code' || key === 'error'),
  )
}

describe('signing in', () => {
  it('works with an independent client by discovery, code and PKCE, with a verified ID token', async () => {
    const issuer = new URL(emulator.url)
    const insecure = { [oauth.allowInsecureRequests]: true }
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    )
    const client: oauth.Client = { client_id: emulator.application.id }
    const attempt = await beginSignIn(emulator)

    const { redirect } = await emulator.authorize(attempt.url, { as: 'chiyo' })
    const parameters = oauth.validateAuthResponse(server, client, new URL(redirect), attempt.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      attempt.verifier,
      insecure,
    )
    const checks = { expectedNonce: attempt.nonce, requireIdToken: true }
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks)
    await oauth.validateApplicationLevelSignature(server, response, insecure)

    const chiyo = emulator.users.find(({ username }) => username === 'chiyo')
    expect(oauth.getValidatedIdTokenClaims(tokens)).toEqual({
      iss: emulator.url,
      aud: emulator.application.id,
      sub: chiyo?.id,
      iat: expect.any(Number),
      exp: expect.any(Number),
      nonce: attempt.nonce,
    })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 604_800 })
    expect(tokens.access_token).toMatch(/^emu_/)
    expect(tokens.refresh_token).toMatch(/^emu_/)
    const info = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
    expect(await oauth.processUserInfoResponse(server, client, chiyo?.id ?? '', info)).toMatchObject({
      preferred_username: 'chiyo',
      nickname: 'Chiyō Mori',
      picture: chiyo?.avatar,
    })
  })

  it('returns the sdk scope with all scopes that it includes', async () => {
    const granted = (await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer' })).scopes
    expect(granted.slice(0, 2)).toEqual(['openid', 'sdk.social_layer'])
    expect(granted).toEqual(
      expect.arrayContaining(['sdk.social_layer_presence', 'lobbies.write', 'activities.read']),
    )
    const presence = (await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer_presence' })).scopes
    expect(presence).toContain('activities.read')
    expect(presence).not.toContain('lobbies.write')
  })
})

describe('the API for a signed-in player', () => {
  it('returns the player, with the ID as a string', async () => {
    const { accessToken: token } = await signIn(emulator, 'mira.k', {
      scope: 'identify email',
      nonce: 'ignored-without-openid',
    })
    const user = await json(await call(emulator, '/users/@me', token))
    expect(user).toMatchObject({
      id: '1093847562019283747',
      username: 'mira.k',
      global_name: null,
      email: 'mira@players.example',
    })
    const current = await json(await call(emulator, '/oauth2/@me', token))
    expect(current).toMatchObject({
      application: { id: emulator.application.id },
      scopes: ['identify', 'email'],
      user: { id: user['id'] },
    })
    expect(Date.parse(String(current['expires']))).toBeGreaterThan(Date.now())
  })
})

describe('the authorization response', () => {
  it('has code, state and issuer on a loopback page with any port', async () => {
    const attempt = await beginSignIn(emulator, { redirect_uri: 'http://localhost:61234/callback' })
    const reply = new URL((await emulator.authorize(attempt.url, { as: 'bruno' })).redirect)
    expect(reply.origin + reply.pathname).toBe('http://localhost:61234/callback')
    expect(Object.fromEntries(reply.searchParams)).toEqual({
      code: expect.any(String),
      state: attempt.state,
      iss: emulator.url,
    })
  })

  it.each([['mygame:/authorize/callback'], ['service-1287654321098765433:/authorize/callback']])(
    'is sent to %s with one slash and unchanged',
    async (scheme) => {
      const attempt = await beginSignIn(emulator, { redirect_uri: scheme })
      const { redirect } = await emulator.authorize(attempt.url, { as: 'bruno' })
      expect(redirect.slice(0, scheme.length + 6)).toBe(`${scheme}?code=`)
    },
  )

  it('is access_denied with the state if the player denies', async () => {
    const attempt = await beginSignIn(emulator)
    const reply = new URL((await emulator.authorize(attempt.url, { as: 'ada', deny: true })).redirect)
      .searchParams
    expect([reply.get('error'), reply.get('state'), reply.get('iss'), reply.get('code')]).toEqual([
      'access_denied',
      attempt.state,
      emulator.url,
      null,
    ])
  })

  it.each([['openid no.such.scope'], ['applications.commands.update'], [undefined]])(
    'is invalid_scope for the scope "%s"',
    async (unknown) => {
      const attempt = await beginSignIn(emulator, { scope: unknown, nonce: undefined })
      const reply = new URL((await emulator.authorize(attempt.url, { as: 'ada' })).redirect).searchParams
      expect([reply.get('error'), reply.get('state'), reply.get('scope')]).toEqual([
        'invalid_scope',
        attempt.state,
        null,
      ])
      expect(emulator.requests.at(-1)?.rule).toMatch(/scope/)
    },
  )

  it('is login_required for prompt=none in a browser without a sign-in', async () => {
    const attempt = await beginSignIn(emulator, { prompt: 'none' })
    const reply = new URL((await emulator.authorize(attempt.url, { as: 'ada' })).redirect).searchParams
    expect(reply.get('error')).toBe('login_required')
  })
})

describe('an API call without a valid token', () => {
  it.each([
    ['no Authorization header', undefined],
    ['a token that was never issued', 'Bearer emu_access_nobody'],
    ['the bot token instead of a player’s token', 'Bot emu_bot_x'],
  ])('with %s is rejected as by the service', async (_case, authorization) => {
    const response = await fetch(
      `${emulator.url}/api/v10/users/@me`,
      authorization === undefined ? {} : { headers: { authorization } },
    )
    expect([response.status, await json(response)]).toEqual([401, { message: '401: Unauthorized', code: 0 }])
    expect(response.headers.get('x-emulator-rule')).toBeTruthy()
  })

  it('requires a scope that includes the profile', async () => {
    const { accessToken } = await signIn(emulator, 'ada', { scope: 'openid guilds' })
    const response = await call(emulator, '/users/@me', accessToken)
    expect([response.status, (await json(response))['code']]).toEqual([403, 50_026])
  })

  it('is rejected when the token is a week old, with the rule', async () => {
    const { accessToken } = await signIn(emulator)
    emulator.advance(604_801_000)
    const response = await call(emulator, '/users/@me', accessToken)
    expect([response.status, response.headers.get('x-emulator-rule')]).toEqual([
      401,
      'the access token is expired',
    ])
  })
})

describe('a game on another origin', () => {
  it.each(['/oauth2/token', '/oauth2/token/revoke', '/users/@me', '/oauth2/keys'])(
    'may call %s from a browser',
    async (path) => {
      const headers = {
        origin: 'https://game.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      }
      const preflight = await fetch(`${emulator.url}/api/v10${path}`, { method: 'OPTIONS', headers })
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
      expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
      const reply = await fetch(`${emulator.url}/api/v10${path}`, {
        headers: { origin: 'https://game.example' },
      })
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      expect(reply.headers.get('access-control-expose-headers')).toContain('X-Emulator-Rule')
    },
  )

  it('gets the public key of ID tokens and no other key', async () => {
    const { keys } = await json(await fetch(`${emulator.url}/api/v10/oauth2/keys`))
    const text = expect.any(String)
    expect(keys).toEqual([{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: text, n: text, e: 'AQAB' }])
  })
})

describe('unneeded scopes', () => {
  it('are reported in the response and in the log, and granted', async () => {
    expect(await advised('openid sdk.social_layer lobbies.write')).toBe(
      'ask only for the scopes that are needed: lobbies.write comes with sdk.social_layer',
    )
    expect(
      (await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer lobbies.write' })).scopes,
    ).toContain('lobbies.write')
  })

  it('are not reported for a request without them', async () => {
    expect(await advised('openid sdk.social_layer email')).toBeNull()
  })
})

describe('PKCE', () => {
  const withoutKey = { code_challenge: undefined, code_challenge_method: undefined }

  it('is optional for a client with a secret, and required for any other', async () => {
    const { code } = await getCode(emulator, 'ada', withoutKey)
    const rejected = await rejectionOf(await redeemCode(code, {}))
    expect(rejected).toMatchObject({
      status: 400,
      error: 'invalid_grant',
      rule: expect.stringContaining('client secret only'),
    })
    const reply = await redeemCode(code, { client_secret: emulator.application.clientSecret })
    expect(await json(reply)).toMatchObject({ access_token: expect.any(String) })
  })

  it('is verified if a challenge was sent, also for a client with a secret', async () => {
    const { code } = await getCode(emulator)
    const rejected = await rejectionOf(
      await redeemCode(code, { client_secret: emulator.application.clientSecret }),
    )
    expect(rejected).toMatchObject({ status: 400, rule: 'code_verifier is missing' })
  })
})

describe('the discovery document', () => {
  it('lists the supported authentication methods', async () => {
    const { token_endpoint_auth_methods_supported: methods, ...document } = await fetchDiscovery()
    expect(methods).toEqual(['none', 'client_secret_basic', 'client_secret_post'])
    expect(document).not.toHaveProperty('token_endpoint_auth_signing_alg_values_supported')
    const { id, clientSecret } = emulator.application
    const body = async () => {
      const { code, verifier } = await getCode(emulator)
      return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    }
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}` }
    const token = String(document['token_endpoint'])
    const responses = [
      await fetch(token, { method: 'POST', body: new URLSearchParams({ ...(await body()), client_id: id }) }),
      await fetch(token, { method: 'POST', headers: basic, body: new URLSearchParams(await body()) }),
      await fetch(token, {
        method: 'POST',
        body: new URLSearchParams({ ...(await body()), client_id: id, client_secret: clientSecret }),
      }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('lists the supported response modes, and others are rejected', async () => {
    expect((await fetchDiscovery())['response_modes_supported']).toEqual(['query', 'fragment'])
    expect(await responseIn('query')).toEqual([['code'], []])
    expect(await responseIn('fragment')).toEqual([[], ['code']])
    expect(await responseIn('form_post')).toEqual([['error'], []])
  })

  it('lists the claims of an ID token and of the userinfo endpoint', async () => {
    const { claims_supported: claims } = await fetchDiscovery()
    const { idToken, accessToken } = await signIn(emulator, 'ada', { scope: 'openid email', max_age: '1000' })
    const info = await json(await call(emulator, '/oauth2/userinfo', accessToken))
    expect([...(claims as string[])].sort()).toEqual(
      [...new Set(Object.keys({ ...claimsIn(idToken), ...info }))].sort(),
    )
  })
})

describe('URL variants', () => {
  it('without a version are accepted for OAuth endpoints', async () => {
    const { code, verifier } = await getCode(emulator)
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    const body = new URLSearchParams({ client_id: emulator.application.id, ...fields })
    const tokens = await json(await fetch(`${emulator.url}/api/oauth2/token`, { method: 'POST', body }))
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` }
    for (const path of ['/api/oauth2/@me', '/api/oauth2/%40me', '/api/oauth2/userinfo', '/api/oauth2/keys'])
      expect((await fetch(`${emulator.url}${path}`, { headers })).status).toBe(200)
    const { url } = await beginSignIn(emulator)
    const page = await fetch(url.replace('/oauth2/', '/api/oauth2/'), { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, url.replace(emulator.url, '')])
  })

  it('with an escaped @me are accepted', async () => {
    const { accessToken } = await signIn(emulator)
    for (const path of ['/users/%40me', '/oauth2/%40me'])
      expect((await call(emulator, path, accessToken)).status).toBe(200)
  })

  it('of the current application return it and its bot for a bot token', async () => {
    const { id, name, botToken } = emulator.application
    const fetchAsBot = async (path: string) =>
      json(await fetch(`${emulator.url}/api/v10${path}`, { headers: { authorization: `Bot ${botToken}` } }))
    expect(await fetchAsBot('/users/@me')).toMatchObject({ id, username: name, bot: true })
    expect(await fetchAsBot('/applications/@me')).toMatchObject({
      id,
      name,
      // An Activity, and the three privileged intents of an application in few guilds.
      flags: (1 << 17) | (1 << 13) | (1 << 15) | (1 << 19),
      owner: { username: 'ada' },
      redirect_uris: expect.arrayContaining(['http://127.0.0.1/callback']),
      interactions_endpoint_url: null,
      approximate_guild_count: expect.any(Number),
    })
    expect(await fetchAsBot('/applications/%40me')).toEqual(await fetchAsBot('/oauth2/applications/@me'))
    const { accessToken } = await signIn(emulator)
    expect((await call(emulator, '/applications/@me', accessToken)).status).toBe(401)
  })
})
