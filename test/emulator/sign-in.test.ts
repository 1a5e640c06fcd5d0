/** A player signs in: driven by a client library that knows nothing of the emulator. */
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { beginSignIn, call, json, redirectUri, signIn } from './support/player.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

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
