/** Provisional accounts, merges and tokens of child applications, against the emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { ApiError, Client, type ClientOptions, type ExternalAccount } from 'foyer-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { findPlayer } from '../support/find-player'

const LOOPBACK = 'http://127.0.0.1:51234/callback'
const WEEK = 604_800_000
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator({ idTokens: { forEveryGrant: true } })
})
beforeEach(() => emulator.reset())
afterAll(() => emulator.close())

function createGame(options: Partial<ClientOptions> = {}) {
  return new Client({ applicationId: emulator.application.id, service: { host: emulator.url }, ...options })
}

const from = (externalAuthToken: string, externalAuthType = 'OIDC'): ExternalAccount => ({
  externalAuthType,
  externalAuthToken,
})

function authorize(client: Client, as = 'ada') {
  return client.authorize(
    { scopes: 'openid sdk.social_layer' },
    { surface: consentSurface(emulator, { as, redirectUri: LOOPBACK }) },
  )
}

const tokenRequests = () => emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token')).length

const child = () => emulator.application.children[0]?.id ?? ''

describe('accounts.getToken', () => {
  it('returns verified tokens of the provisional account, without a refresh token, and keeps the session', async () => {
    const client = createGame()
    const tokens = await client.accounts.getToken(from('emu:sam'))
    expect(tokens).toMatchObject({
      tokenType: 'Bearer',
      claims: { iss: emulator.url, aud: emulator.application.id },
    })
    expect(tokens.scopes).toContain('sdk.social_layer')
    expect(tokens.refreshToken).toBeUndefined()
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + WEEK - 60_000)
    expect(client.session).toBeNull()
    const { accessToken } = tokens
    expect(await client.fetchCurrentUser({ accessToken })).toMatchObject({
      id: tokens.claims?.sub,
      username: expect.stringMatching(/^guest-/),
    })
  })

  it('returns the same account for the same identity, and another account for another identity', async () => {
    const client = createGame()
    const [first, again, other] = [
      await client.accounts.getToken(from('emu:sam')),
      await client.accounts.getToken(from('emu:sam')),
      await client.accounts.getToken(from('emu:sam', 'PLAYSTATION_NETWORK_ID_TOKEN')),
    ]
    expect(again.claims?.sub).toBe(first.claims?.sub)
    expect(other.claims?.sub).not.toBe(first.claims?.sub)
  })

  it.each([
    ['not-enabled', 530_000, 'provisional_accounts_disabled'],
    ['expired', 530_001, 'external_token_expired'],
    ['issuer', 530_002, 'external_issuer_mismatch'],
    ['audience', 530_003, 'external_audience_mismatch'],
    ['too-old', 530_004, 'external_token_too_old'],
    ['username', 530_006, 'username_not_generated'],
    ['no-configuration', 530_008, 'external_configuration_missing'],
    ['no-keys', 530_009, 'external_keys_missing'],
    ['invalid', 530_020, 'invalid_external_token'],
    ['no-kid', 530_027, 'external_key_id_missing'],
  ])('reports fault %s, API code %i, as %s', async (fault, apiCode, code) => {
    const outcome = createGame().accounts.getToken(from(`emu:sam!${fault}`))
    await expect(outcome).rejects.toMatchObject({
      name: 'ApiError',
      code,
      apiCode,
      status: 400,
      retryable: code === 'username_not_generated',
    })
  })

  it('rejects with account_not_provisional once the identity has a full account', async () => {
    const client = createGame()
    await client.accounts.merge(await authorize(client), from('emu:sam'))
    await expect(client.accounts.getToken(from('emu:sam'))).rejects.toMatchObject({
      code: 'account_not_provisional',
      apiCode: 530_010,
    })
  })

  it('reports wrong_client_secret from the service, although a page sends no secret', async () => {
    emulator.faults({
      match: { path: '/api/v10/partner-sdk/token' },
      effect: { status: 400, body: { code: 530_007, message: 'no' } },
    })
    await expect(createGame().accounts.getToken(from('emu:sam'))).rejects.toMatchObject({
      code: 'wrong_client_secret',
    })
  })

  it.each([
    [{ externalAuthType: 'oidc', externalAuthToken: 'emu:sam' }, 'externalAuthType'],
    [{ externalAuthType: 'OIDC', externalAuthToken: '' }, 'externalAuthToken'],
    [{ externalAuthType: 'OIDC', externalAuthToken: 'x'.repeat(10_241) }, 'externalAuthToken'],
  ])('rejects the invalid account %j before it sends a request', async (account, field) => {
    await expect(createGame().accounts.getToken(account)).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'invalid_argument',
      message: expect.stringContaining(field),
    })
    expect(emulator.requests).toEqual([])
  })

  it('rejects a child application and an unknown application with different codes', async () => {
    const rejected = [
      createGame({ applicationId: child() }).accounts.getToken(from('emu:sam')),
      createGame({ applicationId: '42' }).accounts.getToken(from('emu:sam')),
    ]
    await expect(rejected[0]).rejects.toMatchObject({ code: 'application_not_authorized', apiCode: 20_012 })
    await expect(rejected[1]).rejects.toMatchObject({ code: 'unknown_application', apiCode: 10_002 })
  })

  it('resolves without an ID token, and rejects one that is not for this application', async () => {
    const path = '/api/v10/partner-sdk/token'
    const response = {
      access_token: 'a',
      token_type: 'Bearer',
      expires_in: 1,
      scope: 'sdk.social_layer',
      refresh_token: null,
    }
    emulator.faults({ match: { path }, effect: { status: 200, body: response } })
    await expect(createGame().accounts.getToken(from('emu:sam'))).resolves.toMatchObject({
      scopes: ['sdk.social_layer'],
    })
    emulator.faults({ match: { path }, effect: { status: 200, body: { ...response, id_token: 'a.b.c' } } })
    await expect(createGame().accounts.getToken(from('emu:sam'))).rejects.toMatchObject({
      code: 'invalid_id_token',
    })
  })

  it('keeps secrets out of log entries and errors', async () => {
    const log: unknown[] = []
    const client = createGame({ logger: (entry) => log.push(entry) })
    const error: unknown = await client.accounts
      .getToken(from('emu:sam!expired'))
      .catch((reason: unknown) => reason)
    await client.accounts.getToken(from('emu:sam'))
    expect(error).toBeInstanceOf(ApiError)
    expect(JSON.stringify([log, error]) + String(error)).not.toContain('emu:sam')
  })
})

describe('accounts.merge', () => {
  it('signs the player in and merges the provisional account', async () => {
    const client = createGame()
    await client.accounts.getToken(from('emu:sam'))
    const tokens = await client.accounts.merge(await authorize(client), from('emu:sam'))
    expect(tokens.claims?.sub).toBe(findPlayer(emulator, 'ada').id)
    expect(tokens.refreshToken?.reveal()).toBeTruthy()
    expect(client.session).toBeNull()
  })

  it('accepts an account that the game’s backend created, by its access token', async () => {
    const client = createGame()
    const { accessToken } = await client.accounts.getToken(from('emu:sam'))
    const account = { externalAuthType: 'SERVICE_BOT_ISSUED_ACCESS_TOKEN', externalAuthToken: accessToken }
    expect((await client.accounts.merge(await authorize(client), account)).claims?.sub).toBe(
      findPlayer(emulator, 'ada').id,
    )
    await expect(client.fetchCurrentUser({ accessToken })).rejects.toMatchObject({
      name: 'ApiError',
      status: 401,
    })
  })

  it('returns the same tokens without a request if it is called again with the same result', async () => {
    const client = createGame()
    const result = await authorize(client)
    const first = await client.accounts.merge(result, from('emu:sam'))
    const sent = tokenRequests()
    expect((await client.accounts.merge(result, from('emu:sam'))).accessToken.reveal()).toBe(
      first.accessToken.reveal(),
    )
    expect(tokenRequests()).toBe(sent)
  })

  it.each([
    ['emu:sam!invalid', { status: 403, apiCode: 50_025, code: 'invalid_token' }],
    ['emu:sam!provisional-destination', { status: 400, apiCode: 530_016, code: 'destination_provisional' }],
    ['emu:sam!banned', { status: 400, apiCode: 530_017, code: 'source_banned' }],
    ['emu:sam!expired', { status: 400, apiCode: 530_001, code: 'external_token_expired' }],
  ])('rejects %s with %o and leaves the result usable', async (token, refusal) => {
    const client = createGame()
    const result = await authorize(client)
    await expect(client.accounts.merge(result, from(token))).rejects.toMatchObject({
      name: 'ApiError',
      ...refusal,
    })
    expect((await client.getToken(result)).claims?.sub).toBe(findPlayer(emulator, 'ada').id)
  })

  it('rejects a full account with source_not_provisional and an identity in use with identity_already_attached', async () => {
    const client = createGame()
    const bruno = await client.getToken(await authorize(client, 'bruno'))
    const full = { externalAuthType: 'SERVICE_BOT_ISSUED_ACCESS_TOKEN', externalAuthToken: bruno.accessToken }
    await expect(client.accounts.merge(await authorize(client), full)).rejects.toMatchObject({
      code: 'source_not_provisional',
      apiCode: 530_014,
    })
    await client.accounts.merge(await authorize(client, 'bruno'), from('emu:sam'))
    await expect(client.accounts.merge(await authorize(client), from('emu:sam'))).rejects.toMatchObject({
      code: 'identity_already_attached',
      apiCode: 530_023,
    })
  })

  it('rejects with account_locked during a merge, and succeeds when repeated with the same result', async () => {
    const client = createGame()
    const result = await authorize(client)
    const locked = client.accounts.merge(result, from('emu:sam!locked'))
    await expect(locked).rejects.toMatchObject({ code: 'account_locked', status: 423, retryable: true })
    expect((await client.accounts.merge(result, from('emu:sam!locked'))).claims?.sub).toBe(
      findPlayer(emulator, 'ada').id,
    )
  })

  it.each([
    ['a lost response', { lostAnswer: true }, 'connection_failed'],
    ['the status 500', { status: 500, body: {} }, 'http_500'],
  ])('never sends a code twice after %s', async (_, effect, code) => {
    const client = createGame()
    const result = await authorize(client)
    emulator.faults({ match: { path: '/api/v10/oauth2/token' }, effect })
    for (let time = 0; time < 2; time++)
      await expect(client.accounts.merge(result, from('emu:sam'))).rejects.toMatchObject({ code })
    expect(tokenRequests()).toBe(1)
  })

  it('requires the verifier if the caller made the challenge', async () => {
    const client = createGame()
    const { verifier, challenge } = client.createAuthorizationCodeVerifier()
    const surface = consentSurface(emulator, { redirectUri: LOOPBACK })
    const result = await client.authorize({ scopes: 'openid', codeChallenge: challenge }, { surface })
    await expect(client.accounts.merge(result, from('emu:sam'))).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    const merged = await client.accounts.merge(result, { ...from('emu:sam'), codeVerifier: verifier })
    expect(merged.claims?.sub).toBe(findPlayer(emulator, 'ada').id)
  })
})

describe('accounts.unmerge', () => {
  it('gives the identity a new account and revokes the tokens of the old one', async () => {
    const client = createGame()
    const before = await client.accounts.getToken(from('emu:sam'))
    const merged = await client.accounts.merge(await authorize(client), from('emu:sam'))
    await expect(client.accounts.unmerge(from('emu:sam'))).resolves.toBeUndefined()
    await expect(client.fetchCurrentUser({ accessToken: merged.accessToken })).rejects.toMatchObject({
      status: 401,
    })
    const after = await client.accounts.getToken(from('emu:sam'))
    expect(after.claims?.sub).not.toBe(findPlayer(emulator, 'ada').id)
    expect(after.claims?.sub).not.toBe(before.claims?.sub)
  })

  it('rejects with account_provisional, and with unknown_user for an unknown identity', async () => {
    const client = createGame()
    await client.accounts.getToken(from('emu:sam'))
    await expect(client.accounts.unmerge(from('emu:sam'))).rejects.toMatchObject({
      code: 'account_provisional',
      apiCode: 50_229,
      status: 400,
    })
    await expect(client.accounts.unmerge(from('emu:kim'))).rejects.toMatchObject({
      code: 'unknown_user',
      status: 404,
    })
  })
})

describe('accounts.exchangeChildToken', () => {
  it('returns a token for the same player that expires with the parent token', async () => {
    const client = createGame()
    const parent = await client.getToken(await authorize(client))
    emulator.advance(WEEK / 2)
    const tokens = await client.accounts.exchangeChildToken(parent.accessToken, child())
    expect(tokens.refreshToken).toBeUndefined()
    expect(tokens.idToken).toBeUndefined()
    expect(tokens.scopes).toEqual(expect.arrayContaining(['sdk.social_layer']))
    expect(Math.abs(tokens.expiresAt - (Date.now() + WEEK / 2))).toBeLessThan(60_000)
    expect(await client.fetchCurrentUser({ accessToken: tokens.accessToken })).toMatchObject({
      id: findPlayer(emulator, 'ada').id,
    })
    expect(client.session).toBeNull()
  })

  it('rejects an invalid parent token with invalid_token and a foreign application with unknown_application', async () => {
    const client = createGame()
    const { accessToken } = await client.getToken(await authorize(client))
    await expect(client.accounts.exchangeChildToken('dead', child())).rejects.toMatchObject({
      code: 'invalid_token',
      apiCode: 50_025,
    })
    await expect(client.accounts.exchangeChildToken(accessToken, '42')).rejects.toMatchObject({
      code: 'unknown_application',
      apiCode: 10_002,
    })
    const ofChild = await client.accounts.exchangeChildToken(accessToken, child())
    await expect(client.accounts.exchangeChildToken(ofChild.accessToken, child())).rejects.toMatchObject({
      code: 'invalid_token',
    })
  })

  it('rejects an invalid application ID before it sends a request', async () => {
    await expect(createGame().accounts.exchangeChildToken('a', 'arena')).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'invalid_argument',
    })
    expect(emulator.requests).toEqual([])
  })
})

describe('fetchCurrentUser', () => {
  it('reports whether any given token is valid, regardless of the session', async () => {
    const client = createGame()
    await client.signIn({ surface: consentSurface(emulator, { as: 'bruno', redirectUri: LOOPBACK }) })
    const guest = await client.accounts.getToken(from('emu:sam'))
    expect((await client.fetchCurrentUser({ accessToken: guest.accessToken.reveal() })).id).toBe(
      guest.claims?.sub,
    )
    expect((await client.fetchCurrentUser()).id).toBe(findPlayer(emulator, 'bruno').id)
    await expect(client.fetchCurrentUser({ accessToken: 'dead' })).rejects.toMatchObject({
      name: 'ApiError',
      status: 401,
    })
    expect(client.session?.userId).toBe(findPlayer(emulator, 'bruno').id)
  })
})
