/** A player signs in: driven by a client library that knows nothing of the emulator. */
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { beginSignIn, call, redirectUri, signIn } from './support/player.js'

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
      nickname: '千代 Chiyo',
      picture: chiyo?.avatar,
    })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 604_800 })
    expect(tokens.access_token).toMatch(/^emu_/)
    expect(tokens.refresh_token).toMatch(/^emu_/)
    const info = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
    expect((await oauth.processUserInfoResponse(server, client, chiyo?.id ?? '', info)).preferred_username).toBe('chiyo')
  })

  it('the sdk scope comes back with everything it stands for', async () => {
    const granted = (await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer' })).scope.split(' ')
    expect(granted.slice(0, 2)).toEqual(['openid', 'sdk.social_layer'])
    expect(granted).toEqual(expect.arrayContaining(['sdk.social_layer_presence', 'lobbies.write', 'presences.read']))
    const presence = (await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer_presence' })).scope.split(' ')
    expect(presence).toContain('presences.read')
    expect(presence).not.toContain('lobbies.write')
  })
})

describe('the API of a signed-in player', () => {
  it('tells who the player is, with the id as a string', async () => {
    const { access_token: token } = await signIn(emulator, 'mira.k', { scope: 'identify email', nonce: 'ignored-without-openid' })
    const user = (await (await call(emulator, '/users/@me', token)).json()) as Record<string, unknown>
    expect(user).toMatchObject({ id: '1093847562019283747', username: 'mira.k', global_name: null, email: 'mira@players.example' })
    const current = (await (await call(emulator, '/oauth2/@me', token)).json()) as Record<string, unknown>
    expect(current).toMatchObject({ application: { id: emulator.application.id }, scopes: ['identify', 'email'], user: { id: user['id'] } })
    expect(Date.parse(String(current['expires']))).toBeGreaterThan(Date.now())
  })
})
