/** A complete sign-in against the emulator, through the public API alone. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  AuthorizationArgs,
  type AuthorizationCodeVerifier,
  AuthorizationResult,
  Client,
  type ClientOptions,
} from 'foyer-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { codeOf } from '../support/settle'

const LOOPBACK = 'http://127.0.0.1:51234/callback'
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

function createGame(options: Partial<ClientOptions> = {}) {
  return new Client({ applicationId: emulator.application.id, service: { host: emulator.url }, ...options })
}

function player(username: string) {
  const user = emulator.users.find((candidate) => candidate.username === username)
  if (!user) throw new Error(`no player ${username}`)
  return user
}

describe('signIn', () => {
  it('returns a verified session of the player who approved', async () => {
    const client = createGame()
    const session = await client.signIn({
      surface: consentSurface(emulator, { as: 'bruno', redirectUri: LOOPBACK }),
    })
    expect(session.userId).toBe(player('bruno').id)
    expect(session).toMatchObject({ state: 'fresh', missingScopes: [] })
    expect(session.grantedScopes).toEqual(
      expect.arrayContaining(['openid', 'sdk.social_layer', 'sdk.social_layer_presence']),
    )
    expect(session.tokens.claims).toMatchObject({
      iss: emulator.url,
      aud: emulator.application.id,
      sub: session.userId,
    })
    expect(session.tokens.expiresAt).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000)
    expect(session.tokens.refreshToken?.reveal()).toBeTruthy()
    expect(client.session).toBe(session)
    expect(client.status).toBe('ready')
  })

  it('logs each step without a secret', async () => {
    const log: unknown[] = []
    const client = createGame({ logger: (entry) => log.push(entry) })
    const { tokens } = await client.signIn({ surface: consentSurface(emulator, { redirectUri: LOOPBACK }) })
    const steps = () => log.map((entry) => (entry as { step: string }).step)
    // The report of a callback is loaded without awaiting it.
    await expect.poll(steps).toContain('authorization.checked')
    expect(steps().filter((step) => step !== 'authorization.checked')).toEqual([
      'authorization.started',
      'authorization.answered',
      'token.requested',
      'token.received',
      'id_token.checked',
      'id_token.verified',
    ])
    for (const secret of [tokens.accessToken, tokens.refreshToken, tokens.idToken]) {
      expect(JSON.stringify(log)).not.toContain(secret?.reveal())
      expect(JSON.stringify(client.session)).not.toContain(secret?.reveal())
    }
  })

  it('emits status and session changes', async () => {
    const client = createGame()
    const received: unknown[] = []
    const undo = client.on('statusChanged', ({ previous, status }) =>
      received.push(`${previous} → ${status}`),
    )
    client.on('sessionChanged', ({ session }) => received.push(session?.userId ?? null))
    const { userId } = await client.signIn({ surface: consentSurface(emulator, { redirectUri: LOOPBACK }) })
    await client.signOut()
    expect(received).toEqual([
      'disconnected → connecting',
      userId,
      'connecting → ready',
      null,
      'ready → disconnected',
    ])
    undo()
    await client.signIn({ surface: consentSurface(emulator, { redirectUri: LOOPBACK }) })
    expect(received).toHaveLength(6)
  })

  it('rejects with access_denied when the player denies, and keeps the previous session', async () => {
    const client = createGame()
    const before = await client.signIn({ surface: consentSurface(emulator, { redirectUri: LOOPBACK }) })
    const outcome = client.signIn({
      surface: consentSurface(emulator, { deny: true, redirectUri: LOOPBACK }),
    })
    await expect(outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'access_denied' })
    expect(client.session).toBe(before)
    expect(client.status).toBe('ready')
  })

  it('keeps two concurrent players apart', async () => {
    const client = createGame()
    const surfaces = ['chiyo', 'zoe'].map((as) => consentSurface(emulator, { as, redirectUri: LOOPBACK }))
    const results = await Promise.all(
      surfaces.map((surface) => client.authorize({ scopes: 'openid' }, { surface })),
    )
    const tokens = await Promise.all(results.map((result) => client.getToken(result)))
    expect(tokens.map(({ claims }) => claims?.sub)).toEqual([player('chiyo').id, player('zoe').id])
    expect(client.session).toBeNull()
  })

  it('is discarded if it completes after a sign-out', async () => {
    const client = createGame()
    const surface = consentSurface(emulator, { redirectUri: LOOPBACK })
    const outcome = client.signIn({ surface })
    await client.signOut()
    await expect(outcome).rejects.toMatchObject({ name: 'SessionError', code: 'signed_out' })
    expect(client.session).toBeNull()
    expect(client.status).toBe('disconnected')
  })

  it('requires the scope openid, because the ID token identifies the player', async () => {
    const outcome = createGame().signIn({ args: { scopes: 'identify' }, surface: consentSurface(emulator) })
    await expect(outcome).rejects.toMatchObject({ name: 'ValidationError', issues: [{ path: 'scopes' }] })
  })
})

describe('custom schemes', () => {
  it.each([
    ['mygame', 'mygame:/authorize/callback'],
    [undefined, undefined],
  ])(
    'with scheme %s receive the callback exactly as the service sent it',
    async (customSchemeParam, expected) => {
      const client = createGame()
      const arrived: string[] = []
      const consent = consentSurface(emulator)
      const surface = {
        open: async (url: string, options: Parameters<typeof consent.open>[1]) => {
          const response = await consent.open(url, options)
          arrived.push(response)
          return response
        },
      }
      const args = new AuthorizationArgs({ scopes: Client.getDefaultPresenceScopes() })
      if (customSchemeParam) args.setCustomSchemeParam(customSchemeParam)
      const session = await client.signIn({ args, surface })
      const redirectUri = expected ?? `service-${emulator.application.id}:/authorize/callback`
      expect(arrived[0]?.split('?')[0]).toBe(redirectUri)
      expect(session.missingScopes).toEqual([])
    },
  )
})

describe('getToken', () => {
  it('requires the verifier if the caller made the challenge', async () => {
    const client = createGame()
    const { verifier, challenge } = client.createAuthorizationCodeVerifier()
    const surface = consentSurface(emulator, { redirectUri: LOOPBACK })
    const result = await client.authorize({ scopes: 'openid', codeChallenge: challenge }, { surface })
    await expect(client.getToken(result)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect((await client.getToken(result, verifier)).claims?.sub).toBe(player('ada').id)
  })

  it.each(['getToken', 'signIn', 'accounts.merge'])(
    'takes the verifier of %s as a secret, as its text, and with its challenge, and refuses everything else unsent',
    async (call) => {
      const client = createGame()
      const surface = consentSurface(emulator, { redirectUri: LOOPBACK })
      const wrong = [5, {}, [], '', true, 'too short', 'ü'.repeat(43), { verifier: 5 }, '[secret]']
      const forms = [
        (pair: AuthorizationCodeVerifier) => pair,
        (pair: AuthorizationCodeVerifier) => pair.verifier,
        (pair: AuthorizationCodeVerifier) => pair.verifier.reveal(),
      ]
      for (const form of forms) {
        const pair = client.createAuthorizationCodeVerifier()
        const result = await client.authorize(
          { scopes: 'openid', codeChallenge: pair.challenge },
          { surface },
        )
        const redeem = (given: unknown): Promise<unknown> => {
          const codeVerifier = given as never
          if (call === 'getToken') return client.getToken(result, codeVerifier)
          if (call === 'signIn') return client.signIn({ result, codeVerifier })
          const account = { externalAuthType: 'OIDC', externalAuthToken: 'emu:sam' }
          return client.accounts.merge(result, { ...account, codeVerifier })
        }
        const sent = emulator.requests.length
        for (const each of wrong)
          expect([each, await codeOf(() => redeem(each))]).toEqual([each, 'invalid_argument'])
        expect(emulator.requests.length).toBe(sent)
        expect(await redeem(form(pair))).toBeDefined()
      }
    },
  )

  it('redeems a code once and returns the same tokens without a request if it is called again', async () => {
    const client = createGame()
    const result = await client.authorize(
      { scopes: 'openid' },
      { surface: consentSurface(emulator, { redirectUri: LOOPBACK }) },
    )
    const first = await client.getToken(result)
    const sent = emulator.requests.length
    const second = await client.getToken(result)
    expect(second.accessToken.reveal()).toBe(first.accessToken.reveal())
    expect(emulator.requests).toHaveLength(sent)
  })

  it('rejects a wrong verifier, a used code and a foreign redirect URI with invalid_grant', async () => {
    const client = createGame()
    const { challenge } = client.createAuthorizationCodeVerifier()
    const surface = consentSurface(emulator, { redirectUri: LOOPBACK })
    const result = await client.authorize({ scopes: 'openid', codeChallenge: challenge }, { surface })
    await expect(client.getToken(result, 'v'.repeat(43))).rejects.toMatchObject({
      name: 'AuthorizationError',
      code: 'invalid_grant',
    })
    const own = client.createAuthorizationCodeVerifier()
    const fresh = await client.authorize({ scopes: 'openid', codeChallenge: own.challenge }, { surface })
    const elsewhere = AuthorizationResult.fromTrustedCode(fresh.code, 'http://127.0.0.1:1/callback')
    await expect(client.getToken(elsewhere, own.verifier)).rejects.toMatchObject({ code: 'invalid_grant' })
  })

  it('accepts a code that the game trusts, with its nonce', async () => {
    const client = createGame()
    const { verifier, challenge } = client.createAuthorizationCodeVerifier()
    const nonce = 'a-nonce-of-the-backend'
    const { code } = await client.authorize(
      { scopes: 'openid', codeChallenge: challenge, nonce },
      { surface: consentSurface(emulator, { redirectUri: LOOPBACK }) },
    )
    const trusted = AuthorizationResult.fromTrustedCode(code.reveal(), LOOPBACK, { nonce })
    expect((await client.getToken(trusted, verifier)).claims?.nonce).toBe(nonce)
  })
})

describe('fetchCurrentUser', () => {
  it('returns the user of the access token', async () => {
    const client = createGame()
    await client.signIn({ surface: consentSurface(emulator, { as: 'bruno', redirectUri: LOOPBACK }) })
    const { id, username, globalName } = player('bruno')
    expect(await client.fetchCurrentUser()).toMatchObject({ id, username, globalName })
  })

  it('rejects when nobody is signed in', async () => {
    await expect(createGame().fetchCurrentUser()).rejects.toMatchObject({
      name: 'SessionError',
      code: 'signed_out',
    })
  })
})
