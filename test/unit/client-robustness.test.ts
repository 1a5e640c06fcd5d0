/** Robustness of a client: listeners that throw or call it, code that fails to load, and arguments of wrong types. */
import { Client, type ClientOptions, FoyerError, Secret } from 'foyer-sdk'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CoreClient, importPart, resolveOptions } from '../support/internals'
import { clientSessions } from '../support/client-sessions'
import { callbackTo, scriptedSurface, silentSurface } from '../support/scripted-surface'
import { createClientAt } from '../support/local-client'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'
import { strayErrors } from '../support/stray-errors'

const DAY = 86_400_000
const SCOPES = { scopes: 'openid' }
let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

const createGame = (options?: Partial<ClientOptions>) => createClientAt(service, options)

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof FoyerError ? error.code : String(error)),
  )

describe('the game’s own code', () => {
  const events = ['statusChanged', 'sessionChanged', 'tokenRefreshed', 'log'] as const

  it('may throw in any listener: no call fails, and the page receives the error', async () => {
    using stray = strayErrors()
    const client = createGame()
    const received = new Set<string>()
    for (const event of events) {
      client.on(event, () => {
        received.add(event)
        throw new Error(`of ${event}`)
      })
    }
    const { userId } = await service.signIn(client)
    await client.refreshToken()
    expect((await client.fetchCurrentUser()).id).toBe(userId)
    await client.signOut()
    expect(received).toEqual(new Set(events))
    expect(new Set(await stray.errors())).toEqual(new Set(events.map((event) => `Error: of ${event}`)))
  })

  it('may throw in its logger during a refresh without losing the session', async () => {
    using stray = strayErrors()
    let isBroken = false
    const client = createGame({
      logger: () => {
        if (isBroken) throw new Error('disk full')
      },
    })
    await service.signIn(client)
    isBroken = true
    await client.refreshToken()
    service.clock.advance(8 * DAY)
    await client.fetchCurrentUser()
    expect(service.refreshes()).toHaveLength(2)
    expect(new Set(await stray.errors())).toEqual(new Set(['Error: disk full']))
  })

  it('may sign out in a tokenRefreshed listener, and the player stays signed out', async () => {
    const client = createGame()
    await service.signIn(client)
    const left: Promise<unknown>[] = []
    const users: unknown[] = []
    client.on('sessionChanged', ({ session }) => users.push(session?.userId))
    client.on('tokenRefreshed', () => left.push(client.signOut()))
    await client.refreshToken()
    await Promise.all(left)
    expect(users).toEqual([undefined])
    expect(client).toMatchObject({ session: null, status: 'disconnected' })
  })

  it('may sign out in a sessionChanged listener without a status that never applied', async () => {
    const client = createGame()
    const reported: string[] = []
    client.on('sessionChanged', ({ session }) => {
      if (session) void client.signOut()
    })
    client.on('statusChanged', ({ status }) => reported.push(status))
    await service.signIn(client)
    expect(client).toMatchObject({ session: null, status: 'disconnected' })
    expect(reported).toEqual(['connecting', 'disconnected'])
  })

  it('may remove its listeners: lobbies are still cleared at sign-out', async () => {
    const lobby = {
      id: '7',
      application_id: CLIENT_ID,
      metadata: null,
      members: [{ id: USER_ID, metadata: null, flags: 0 }],
    }
    const { fetch } = service
    const client = createGame({
      fetch: async (url, init) => (url.endsWith('/lobbies') ? Response.json(lobby) : fetch(url, init)),
    })
    await service.signIn(client)
    const remove = events.map((event) => client.on(event, () => undefined))
    const joined = await client.createOrJoinLobby('secret')
    remove.push(joined.on('ended', () => undefined))
    expect(Array.from(client.lobbies, ({ id }) => id)).toEqual(['7'])
    for (const off of remove) off()
    await client.signOut()
    expect(Array.from(client.lobbies, ({ id }) => id)).toEqual([])
  })
})

describe('a sign-in during a session', () => {
  it('continues when the session ends meanwhile', async () => {
    const client = createGame()
    await service.signIn(client)
    const surface = silentSurface()
    const again = client.signIn({ surface, args: SCOPES })
    service.good.clear()
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'refresh_rejected' })
    expect(client.session).toBeNull()
    const [url = new URL(HOST)] = surface.opened
    service.claims = { nonce: url.searchParams.get('nonce') }
    await client.handleCallback(callbackTo(url, { iss: HOST }))
    expect(await again).toMatchObject({ userId: USER_ID })
    expect(client).toMatchObject({ session: { userId: USER_ID }, status: 'ready' })
  })

  it('keeps the status if it fails', async () => {
    const client = createGame()
    await service.signIn(client)
    client.pauseRefresh()
    service.clock.advance(8 * DAY)
    service.override = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({ code: 'connection_failed' })
    expect(client.status).toBe('reconnecting')
    const again = client.signIn({ surface: silentSurface() })
    client.abortAuthorize()
    await expect(again).rejects.toMatchObject({ code: 'aborted' })
    expect(client.status).toBe('reconnecting')
  })
})

describe('a code module that failed to load', () => {
  it('is loaded again by the next call', async () => {
    const resolved = resolveOptions(
      { applicationId: CLIENT_ID, service: { host: HOST }, fetch: service.fetch, clock: service.clock },
      undefined,
      async () => undefined,
    )
    let isThere = false
    const client = new CoreClient({
      ...resolved,
      loadSessions: clientSessions,
      async loadPage() {
        if (!isThere)
          await importPart(Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
        return {
          openRateLimitStore: () => undefined,
          onPageHide: () => () => undefined,
          inviteAddress: () => undefined,
        }
      },
    })
    onTestFinished(() => client.close())
    await client.updateToken({
      accessToken: new Secret('x'),
      tokenType: 'Bearer',
      expiresAt: service.clock.now() + DAY,
      scopes: [],
      claims: { iss: HOST, sub: USER_ID, aud: CLIENT_ID, exp: 2, iat: 1 },
    })
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({
      name: 'NetworkError',
      code: 'reload_required',
      retryable: false,
    })
    isThere = true
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({ code: 'session_expired' })
  })
})

describe('an argument of a wrong type', () => {
  it('that is undefined counts as absent', async () => {
    const none: undefined = undefined
    const options: unknown = {
      applicationId: CLIENT_ID,
      service: { host: HOST, issuer: none, brand: none, tokenUrl: none },
      fetch: none,
      clock: none,
      surface: none,
      requestTimeout: none,
      profile: none,
    }
    const client = new Client(options as ClientOptions)
    onTestFinished(() => client.close())
    const foreign = scriptedSurface((url) => callbackTo(url, { iss: 'https://evil.test' }))
    await expect(client.authorize(SCOPES, { surface: foreign })).rejects.toMatchObject({
      code: 'issuer_mismatch',
    })
    const own = scriptedSurface((url) => callbackTo(url, { iss: HOST }))
    expect((await client.authorize(SCOPES, { surface: own })).code.reveal()).toBe('the-code')
  })

  const token = { accessToken: new Secret('x'), tokenType: 'Bearer', expiresAt: 1, scopes: [] }
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 42],
    ['no tokens', {}],
    ['a string with a line break', 'a\nb'],
    ['an access token that is a string', { ...token, accessToken: 'x' }],
    ['a refresh token with a space', { ...token, refreshToken: new Secret('a b') }],
    ['no scopes', { ...token, scopes: undefined }],
    ['no expiry', { ...token, expiresAt: Infinity }],
  ])('is rejected by updateToken before a request or a change: %s', async (_, wrong) => {
    const client = createGame()
    const { userId } = await service.signIn(client)
    const sent = service.sent.length
    expect(await outcomeOf(client.updateToken(wrong as string))).toBe('invalid_argument')
    expect(service.sent).toHaveLength(sent)
    expect(client.session?.userId).toBe(userId)
  })

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['accounts.getToken without an account', (client) => client.accounts.getToken(undefined as never)],
    [
      'accounts.getToken without a token',
      (client) => client.accounts.getToken({ externalAuthType: 'OIDC' } as never),
    ],
    [
      'exchangeChildToken without a token',
      (client) => client.accounts.exchangeChildToken(undefined as never, '1'),
    ],
    ['exchangeChildToken with a number', (client) => client.accounts.exchangeChildToken(42 as never, '1')],
    ['getToken without a result', (client) => client.getToken(undefined as never)],
  ])('rejects with a code: %s', async (_, call) => {
    expect(await outcomeOf(call(createGame()))).toBe('invalid_argument')
    expect(service.sent).toEqual([])
  })

  it('is sent to the service if it is a numeric token, and rejected there', async () => {
    const client = createGame()
    await service.signIn(client)
    expect(await outcomeOf(client.refreshToken(42 as never))).toBe('invalid_grant')
    expect(await outcomeOf(client.fetchCurrentUser({ accessToken: 42 as never }))).toBe('http_401')
    expect(client.session?.state).toBe('fresh')
  })
})

describe('a session', () => {
  it('revokes its tokens for the application that created it', async () => {
    const client = new Client({ service: { host: HOST }, fetch: service.fetch, clock: service.clock })
    onTestFinished(() => client.close())
    const surface = scriptedSurface((url) => {
      service.claims = { nonce: url.searchParams.get('nonce') }
      return callbackTo(url, { iss: HOST })
    })
    const revoked = () =>
      service.sent.filter(({ url }) => url.endsWith('/revoke')).map(({ form }) => form.get('client_id'))
    await client.signIn({ surface, args: { ...SCOPES, clientId: CLIENT_ID } })
    expect(await client.signOut({ revoke: true })).toEqual({ revoked: true })
    await client.signIn({ surface, args: { ...SCOPES, clientId: CLIENT_ID } })
    await client.revokeToken()
    expect(revoked()).toEqual([CLIENT_ID, CLIENT_ID])
  })
})
