/** A player signs in: driven by a client library that knows nothing of the emulator. */
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { beginSignIn, call, claimsIn, getCode, json, postForm, redirectUri, refusalOf, signIn } from './support/player.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

const advised = async (scope: string) => {
  emulator.reset()
  const { headers, status } = await fetch((await beginSignIn(emulator, { scope })).url, { redirect: 'manual' })
  const logged = emulator.requests.map(({ advice }) => advice)
  expect([status, logged]).toEqual([303, [headers.get('x-emulator-advice') ?? undefined]])
  return headers.get('x-emulator-advice')
}

const exchanged = (code: string, fields: Record<string, string>) =>
  postForm(emulator, '/oauth2/token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...fields })

const discovered = async () => json(await fetch(`${emulator.url}/.well-known/openid-configuration`))

const answered = async (mode: string) => {
  const { redirect } = await emulator.authorize((await beginSignIn(emulator, { response_mode: mode })).url, { as: 'ada' })
  const { search, hash } = new URL(redirect)
  return [search, hash.slice(1)].map((part) => [...new URLSearchParams(part).keys()].filter((key) => key === 'code' || key === 'error'))
}

describe('signing in', () => {
  it('an independent client signs in by discovery, code and proof key, and verifies the ID token', async () => {
    const issuer = new URL(emulator.url)
    const insecure = { [oauth.allowInsecureRequests]: true }
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
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
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({
      iss: emulator.url,
      aud: emulator.application.id,
      sub: chiyo?.id,
      preferred_username: 'chiyo',
      nickname: 'Chiyō Mori',
      picture: chiyo?.avatar,
    })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 604_800 })
    expect(tokens.access_token).toMatch(/^emu_/)
    expect(tokens.refresh_token).toMatch(/^emu_/)
    const info = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
    expect((await oauth.processUserInfoResponse(server, client, chiyo?.id ?? '', info)).preferred_username).toBe('chiyo')
  })

  it('the sdk scope comes back with everything it stands for', async () => {
    const granted = (await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer' })).scopes
    expect(granted.slice(0, 2)).toEqual(['openid', 'sdk.social_layer'])
    expect(granted).toEqual(expect.arrayContaining(['sdk.social_layer_presence', 'lobbies.write', 'presences.read']))
    const presence = (await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer_presence' })).scopes
    expect(presence).toContain('presences.read')
    expect(presence).not.toContain('lobbies.write')
  })
})

describe('the API of a signed-in player', () => {
  it('tells who the player is, with the id as a string', async () => {
    const { accessToken: token } = await signIn(emulator, 'mira.k', { scope: 'identify email', nonce: 'ignored-without-openid' })
    const user = await json(await call(emulator, '/users/@me', token))
    expect(user).toMatchObject({ id: '1093847562019283747', username: 'mira.k', global_name: null, email: 'mira@players.example' })
    const current = await json(await call(emulator, '/oauth2/@me', token))
    expect(current).toMatchObject({ application: { id: emulator.application.id }, scopes: ['identify', 'email'], user: { id: user['id'] } })
    expect(Date.parse(String(current['expires']))).toBeGreaterThan(Date.now())
  })
})

describe('the answer of the authorize page', () => {
  it('carries code, state and issuer to a loopback page on any port', async () => {
    const attempt = await beginSignIn(emulator, { redirect_uri: 'http://localhost:61234/callback' })
    const answer = new URL((await emulator.authorize(attempt.url, { as: 'bruno' })).redirect)
    expect(answer.origin + answer.pathname).toBe('http://localhost:61234/callback')
    expect(Object.fromEntries(answer.searchParams)).toEqual({ code: expect.any(String), state: attempt.state, iss: emulator.url })
  })

  it.each([['mygame:/authorize/callback'], ['service-1287654321098765433:/authorize/callback']])(
    'goes to %s with one slash and nothing changed',
    async (scheme) => {
      const attempt = await beginSignIn(emulator, { redirect_uri: scheme })
      const { redirect } = await emulator.authorize(attempt.url, { as: 'bruno' })
      expect(redirect.slice(0, scheme.length + 6)).toBe(`${scheme}?code=`)
    },
  )

  it('is access_denied with the state when the player denies', async () => {
    const attempt = await beginSignIn(emulator)
    const answer = new URL((await emulator.authorize(attempt.url, { as: 'ada', deny: true })).redirect).searchParams
    expect([answer.get('error'), answer.get('state'), answer.get('iss'), answer.get('code')]).toEqual([
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
      const answer = new URL((await emulator.authorize(attempt.url, { as: 'ada' })).redirect).searchParams
      expect([answer.get('error'), answer.get('state'), answer.get('scope')]).toEqual(['invalid_scope', attempt.state, null])
      expect(emulator.requests.at(-1)?.rule).toMatch(/scope/)
    },
  )

  it('is login_required for prompt=none in a browser where nobody signed in', async () => {
    const attempt = await beginSignIn(emulator, { prompt: 'none' })
    const answer = new URL((await emulator.authorize(attempt.url, { as: 'ada' })).redirect).searchParams
    expect(answer.get('error')).toBe('login_required')
  })
})

describe('an API call without a working token', () => {
  it.each([
    ['no Authorization header', undefined],
    ['a token that was never issued', 'Bearer emu_access_nobody'],
    ['the bot token in the place of a player’s', 'Bot emu_bot_x'],
  ])('with %s is refused as the service refuses it', async (_case, authorization) => {
    const response = await fetch(`${emulator.url}/api/v10/users/@me`, authorization === undefined ? {} : { headers: { authorization } })
    expect([response.status, await json(response)]).toEqual([401, { message: '401: Unauthorized', code: 0 }])
    expect(response.headers.get('x-emulator-rule')).toBeTruthy()
  })

  it('needs a scope that shows the profile', async () => {
    const { accessToken } = await signIn(emulator, 'ada', { scope: 'openid guilds' })
    const response = await call(emulator, '/users/@me', accessToken)
    expect([response.status, (await json(response))['code']]).toEqual([403, 50_026])
  })

  it('is refused once the token is a week old, and the rule says so', async () => {
    const { accessToken } = await signIn(emulator)
    emulator.advance(604_801_000)
    const response = await call(emulator, '/users/@me', accessToken)
    expect([response.status, response.headers.get('x-emulator-rule')]).toEqual([401, 'the access token is expired'])
  })
})

describe('a game on another origin', () => {
  it.each(['/oauth2/token', '/oauth2/token/revoke', '/users/@me', '/oauth2/keys'])('may call %s from a browser', async (path) => {
    const headers = {
      origin: 'https://game.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    }
    const preflight = await fetch(`${emulator.url}/api/v10${path}`, { method: 'OPTIONS', headers })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const answer = await fetch(`${emulator.url}/api/v10${path}`, { headers: { origin: 'https://game.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Emulator-Rule')
  })

  it('finds the public key of ID tokens and nothing else of it', async () => {
    const { keys } = await json(await fetch(`${emulator.url}/api/v10/oauth2/keys`))
    const text = expect.any(String)
    expect(keys).toEqual([{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: text, n: text, e: 'AQAB' }])
  })
})

describe('scopes that are not needed', () => {
  it('are named in the answer and in the log, and granted all the same', async () => {
    expect(await advised('openid sdk.social_layer lobbies.write')).toBe(
      'ask only for the scopes that are needed: lobbies.write comes with sdk.social_layer',
    )
    expect((await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer lobbies.write' })).scopes).toContain('lobbies.write')
  })

  it('are none of a request for what differs', async () => {
    expect(await advised('openid sdk.social_layer identify email')).toBeNull()
  })
})

describe('a proof key', () => {
  const withoutKey = { code_challenge: undefined, code_challenge_method: undefined }

  it('is optional for a client that sends its secret, and for no other', async () => {
    const { code } = await getCode(emulator, 'ada', withoutKey)
    const refused = await refusalOf(await exchanged(code, {}))
    expect(refused).toMatchObject({ status: 400, error: 'invalid_grant', rule: expect.stringContaining('client secret only') })
    const answer = await exchanged(code, { client_secret: emulator.application.clientSecret })
    expect(await json(answer)).toMatchObject({ access_token: expect.any(String) })
  })

  it('that was sent is asked for, of a client with a secret too', async () => {
    const { code } = await getCode(emulator)
    const refused = await refusalOf(await exchanged(code, { client_secret: emulator.application.clientSecret }))
    expect(refused).toMatchObject({ status: 400, rule: 'code_verifier is missing' })
  })
})

describe('the discovery document', () => {
  it('names the ways to authenticate that work', async () => {
    const { token_endpoint_auth_methods_supported: methods, ...document } = await discovered()
    expect(methods).toEqual(['none', 'client_secret_basic', 'client_secret_post'])
    expect(document).not.toHaveProperty('token_endpoint_auth_signing_alg_values_supported')
    const { id, clientSecret } = emulator.application
    const body = async () => {
      const { code, verifier } = await getCode(emulator)
      return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    }
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}` }
    const token = String(document['token_endpoint'])
    const answers = [
      await fetch(token, { method: 'POST', body: new URLSearchParams({ ...(await body()), client_id: id }) }),
      await fetch(token, { method: 'POST', headers: basic, body: new URLSearchParams(await body()) }),
      await fetch(token, { method: 'POST', body: new URLSearchParams({ ...(await body()), client_id: id, client_secret: clientSecret }) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('names the response modes that work, and others are refused', async () => {
    expect((await discovered())['response_modes_supported']).toEqual(['query', 'fragment'])
    expect(await answered('query')).toEqual([['code'], []])
    expect(await answered('fragment')).toEqual([[], ['code']])
    expect(await answered('form_post')).toEqual([['error'], []])
  })

  it('names the claims that an ID token has', async () => {
    const { claims_supported: claims } = await discovered()
    const { idToken } = await signIn(emulator, 'ada', { scope: 'openid email', max_age: '1000' })
    expect([...(claims as string[])].sort()).toEqual(Object.keys(claimsIn(idToken)).sort())
  })
})

describe('addresses as clients spell them', () => {
  it('without a version belong to the OAuth endpoints', async () => {
    const { code, verifier } = await getCode(emulator)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    const body = new URLSearchParams({ client_id: emulator.application.id, ...fields })
    const tokens = await json(await fetch(`${emulator.url}/api/oauth2/token`, { method: 'POST', body }))
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` }
    for (const path of ['/api/oauth2/@me', '/api/oauth2/%40me', '/api/oauth2/userinfo', '/api/oauth2/keys'])
      expect((await fetch(`${emulator.url}${path}`, { headers })).status).toBe(200)
    const { url } = await beginSignIn(emulator)
    const page = await fetch(url.replace('/oauth2/', '/api/oauth2/'), { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, url.replace(emulator.url, '')])
  })

  it('may write @me with an escape', async () => {
    const { accessToken } = await signIn(emulator)
    for (const path of ['/users/%40me', '/oauth2/%40me']) expect((await call(emulator, path, accessToken)).status).toBe(200)
  })

  it('name the application and its bot for a bot token', async () => {
    const { id, name, botToken } = emulator.application
    const asked = async (path: string) =>
      json(await fetch(`${emulator.url}/api/v10${path}`, { headers: { authorization: `Bot ${botToken}` } }))
    expect(await asked('/users/@me')).toMatchObject({ id, username: name, bot: true })
    expect(await asked('/applications/@me')).toMatchObject({ id, name, flags: 1 << 17 })
    expect(await asked('/applications/%40me')).toEqual(await asked('/oauth2/applications/@me'))
    const { accessToken } = await signIn(emulator)
    expect((await call(emulator, '/applications/@me', accessToken)).status).toBe(401)
  })
})
