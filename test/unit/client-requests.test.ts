/** Requests of a signed-in client: renewed credentials, limits, tokens of others, and tokens that a game hands over. */
import { type Client, type ClientOptions, Secret } from 'foyer-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { codeOf, rejection } from '../support/settle'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

const createGame = (options?: Partial<ClientOptions>) => createClientAt(service, options)
const sentTo = (end: string) => service.sent.filter(({ url }) => url.endsWith(end))
const lastToken = () => new Headers(sentTo('/users/@me').at(-1)?.init.headers).get('authorization')

describe('a refused access token', () => {
  it('is refreshed, and the request sent again, even if the game has just refreshed another one', async () => {
    const client = createGame()
    await service.signIn(client)
    service.access.clear()
    expect((await client.fetchCurrentUser()).id).toBe(USER_ID)
    await client.refreshToken()
    service.access.clear()
    expect((await client.fetchCurrentUser()).id).toBe(USER_ID)
    expect(service.refreshes()).toHaveLength(3)
    expect(lastToken()).toBe('Bearer access-4')
  })

  it('that was given for one call is not refreshed, and the session stays as it is', async () => {
    const client = createGame()
    await service.signIn(client)
    expect(await codeOf(() => client.fetchCurrentUser({ accessToken: 'unknown' }))).toBe('http_401')
    expect(lastToken()).toBe('Bearer unknown')
    expect(service.refreshes()).toEqual([])
    expect((await client.fetchCurrentUser({ accessToken: new Secret('access-1') })).username).toBe('neo')
  })

  it('is not sent at all once it has expired: the refreshed one is', async () => {
    const client = createGame()
    await service.signIn(client)
    client.pauseRefresh()
    service.clock.advance(8 * DAY)
    service.sent.length = 0
    await client.fetchCurrentUser()
    expect([sentTo('/users/@me').length, lastToken()]).toEqual([1, 'Bearer access-2'])
  })
})

const refused = () => Response.json({ retry_after: 20, global: false }, { status: 429 })

describe('a call of the service', () => {
  it.each<
    [what: string, response: { end: string; body: object[] }, read: (client: Client) => Promise<unknown>]
  >([
    [
      'one guild among others',
      { end: '/guilds', body: [{ id: '6', name: 'b' }, {}] },
      (client) => client.lobbies.fetchGuilds(),
    ],
    [
      'permissions',
      { end: '/guilds', body: [{ id: '7', name: 'a', permissions: '8x' }] },
      (client) => client.lobbies.fetchGuilds(),
    ],
    [
      'a number as permissions',
      { end: '/guilds', body: [{ id: '7', name: 'a', permissions: 8 }] },
      (client) => client.lobbies.fetchGuilds(),
    ],
    [
      'a name',
      { end: '/channels', body: [{ id: '7', name: 8, type: 0, position: 0 }] },
      (client) => client.lobbies.fetchGuildChannels('7'),
    ],
  ])(
    'is rejected as malformed if its response has %s that cannot be read',
    async (_, { end, body }, read) => {
      const client = createGame({
        fetch: async (url, init) => (url.endsWith(end) ? Response.json(body) : service.fetch(url, init)),
      })
      await service.signIn(client)
      expect(await codeOf(() => read(client))).toBe('malformed_response')
    },
  )

  it('sorts the channels of a guild by position, whatever the order of the response', async () => {
    const channels = [2, 0, 1].map((position) => ({
      id: `${position + 10}`,
      name: `${position}`,
      type: 0,
      position,
    }))
    const client = createGame({
      fetch: async (url, init) =>
        url.endsWith('/channels') ? Response.json(channels) : service.fetch(url, init),
    })
    await service.signIn(client)
    expect((await client.lobbies.fetchGuildChannels('7')).map(({ name }) => name)).toEqual(['0', '1', '2'])
  })

  it('is logged with its route and status if it is refused', async () => {
    const entries: object[] = []
    const client = createGame({
      fetch: async (url, init) =>
        url.endsWith('/users/@me')
          ? Response.json({ code: 20_012 }, { status: 403 })
          : service.fetch(url, init),
    })
    client.on('log', ({ level, step, data }) => step === 'api.refused' && entries.push({ level, ...data }))
    await service.signIn(client)
    expect(await codeOf(() => client.fetchCurrentUser())).toBe('application_not_authorized')
    expect(entries).toMatchObject([{ level: 'warn', route: 'GET /users/@me', status: 403 }])
  })

  it('rejects if a limit needs a longer wait than five seconds, or than maxWait, and reports that', async () => {
    const limited = {
      fetch: async (url: string, init: RequestInit) =>
        url.endsWith('/users/@me') ? refused() : service.fetch(url, init),
    }
    const client = createGame(limited)
    const events: unknown[] = []
    client.on('rateLimited', (event) => events.push(event))
    await service.signIn(client)
    expect(client.rateLimits).toEqual([])
    expect(await codeOf(() => client.fetchCurrentUser())).toBe('rate_limited')
    expect(events.length).toBeGreaterThan(0)
    expect(client.rateLimits.length).toBeGreaterThan(0)
    const patient = createGame({ ...limited, maxWait: 60_000 })
    await service.signIn(patient)
    const delayed: unknown[] = []
    patient.on('rateLimitDelayed', (event) => delayed.push(event))
    const outcome = codeOf(() => patient.fetchCurrentUser())
    await expect.poll(() => delayed.length).toBe(1)
    patient.close()
    expect(await outcome).toBe('closed')
  })

  it('is ended by the close of the client, also before its first answer', async () => {
    let isSignedIn = false
    const client = createGame({
      fetch: async (url, init) =>
        isSignedIn && url.endsWith('/users/@me')
          ? new Promise<never>((_, reject) =>
              init.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
            )
          : service.fetch(url, init),
    })
    await service.signIn(client)
    isSignedIn = true
    const outcome = codeOf(() => client.fetchCurrentUser())
    await expect.poll(() => client.rateLimits.length).toBeGreaterThan(0)
    client.close()
    expect(['closed', 'aborted']).toContain(await outcome)
    expect(await codeOf(() => client.fetchCurrentUser())).toBe('closed')
  })

  it.each([
    ['no object', 'x', { path: '', expected: 'an object', got: 'a string' }],
    ['no id', { username: 'neo' }, { path: 'id', got: 'nothing' }],
    [
      'an id that is none',
      { id: 'x', username: 'neo' },
      { path: 'id', expected: 'an id as a string of digits', got: 'a string' },
    ],
    ['no name', { id: USER_ID }, { path: 'username', expected: 'a string', got: 'nothing' }],
    [
      'a display name that is no text',
      { id: USER_ID, username: 'neo', global_name: 7 },
      { path: 'global_name', got: 'a number' },
    ],
  ])('for the current user whose answer has %s is malformed, and names the field', async (_, body, fault) => {
    const client = createGame({
      fetch: async (url, init) =>
        url.endsWith('/users/@me') ? Response.json(body) : service.fetch(url, init),
    })
    await service.signIn(client)
    expect(await rejection(() => client.fetchCurrentUser())).toMatchObject({
      code: 'malformed_response',
      ...fault,
    })
  })

  it.each([
    [{ global_name: 'Neo' }, 'Neo'],
    [{ global_name: null }, null],
    [{}, null],
  ])('for the current user with %j has the display name %j', async (more, globalName) => {
    const fetch: TokenService['fetch'] = async (url, init) =>
      url.endsWith('/users/@me')
        ? Response.json({ id: USER_ID, username: 'neo', ...more })
        : service.fetch(url, init)
    const client = createGame({ fetch })
    await service.signIn(client)
    expect(await client.fetchCurrentUser()).toMatchObject({ id: USER_ID, username: 'neo', globalName })
  })
})

describe('updateToken', () => {
  it('takes a token alone for an hour, without scopes', async () => {
    const client = createGame()
    await service.tokens()
    const session = await client.updateToken('access-1')
    expect([session.userId, session.tokens.scopes]).toEqual([USER_ID, []])
    expect(session.tokens.expiresAt).toBe(service.clock.now() + HOUR)
  })

  it('takes a set of tokens with claims, and asks for the names only', async () => {
    const client = createGame()
    await service.signIn(client)
    const { tokens } = client.session ?? {}
    const other = createGame()
    const before = service.sent.length
    expect((await other.updateToken(tokens as never)).userId).toBe(USER_ID)
    expect(service.sent.slice(before).map(({ url }) => new URL(url).pathname)).toEqual(['/api/v10/users/@me'])
    expect(other.session?.tokens.refreshToken?.reveal()).toBe('refresh-1')
  })

  it.each(['', ' access-1', 'access-1\n', 'ü', 'x'.repeat(8193)])(
    'is refused for %j, which is no token',
    async (token) => {
      expect(await codeOf(() => createGame().updateToken(token))).toBe('invalid_argument')
      expect(service.sent).toEqual([])
    },
  )

  it('is refused for the type of a token in its place, and without an application id', async () => {
    expect(await codeOf(() => createGame().updateToken('Bearer', 'x' as never))).toBe('invalid_argument')
    expect(await codeOf(() => createGame({ applicationId: undefined as never }).updateToken('x'))).toBe(
      'missing_application_id',
    )
    expect(service.sent).toEqual([])
  })

  it('keeps the previous session if the service refuses the token', async () => {
    const client = createGame()
    const before = await service.signIn(client)
    expect(await codeOf(() => client.updateToken('unknown'))).toBe('http_401')
    expect(client).toMatchObject({ session: before, status: 'ready' })
  })
})

describe('a token that is not of the session', () => {
  it('is redeemed for the application, and the session stays', async () => {
    const client = createGame()
    await service.signIn(client)
    await service.tokens()
    expect((await client.refreshToken('refresh-2')).refreshToken?.reveal()).toBe('refresh-3')
    expect(service.refreshes().at(-1)?.form.get('client_id')).toBe(CLIENT_ID)
    expect(client.session?.tokens.refreshToken?.reveal()).toBe('refresh-1')
    expect((await client.refreshToken('refresh-1')).refreshToken?.reveal()).toBe('refresh-4')
    expect(client.session?.tokens.refreshToken?.reveal()).toBe('refresh-4')
  })

  it('is refused without an application id, and its redemption can be aborted', async () => {
    const none = createGame({ applicationId: undefined as never })
    expect(await codeOf(() => none.refreshToken('refresh-9'))).toBe('missing_application_id')
    const client = createGame()
    service.override = () => new Promise(() => undefined)
    const stop = new AbortController()
    const outcome = codeOf(() => client.refreshToken('refresh-9', { signal: stop.signal }))
    await expect.poll(() => service.refreshes().length).toBe(1)
    stop.abort()
    expect(await outcome).toBe('aborted')
  })

  it('is revoked with the application of the client, and its own one ends the session', async () => {
    const client = createGame()
    await service.signIn(client)
    await client.revokeToken('another')
    expect(sentTo('/revoke').at(-1)?.form.get('client_id')).toBe(CLIENT_ID)
    expect(client.session).not.toBeNull()
    await client.revokeToken(client.session?.tokens.refreshToken)
    expect(client.session).toBeNull()
    expect(await codeOf(() => client.revokeToken())).toBe('signed_out')
    expect(sentTo('/revoke')).toHaveLength(2)
  })
})

describe('a revocation', () => {
  it.each([
    [503, 'http_503'],
    [204, 'http_204'],
  ])('with the status %i has failed: the player is signed out all the same', async (status, code) => {
    const client = createGame()
    await service.signIn(client)
    service.revoked = async () => new Response(null, { status })
    expect(await client.signOut({ revoke: true })).toMatchObject({ revoked: false, error: { code } })
    expect(client.session).toBeNull()
  })

  it('sends the refresh token, nothing else, and ends after ten seconds', async () => {
    const client = createGame()
    await service.signIn(client)
    service.revoked = () => new Promise<never>(() => undefined)
    const outcome = client.signOut({ revoke: true })
    await expect.poll(() => sentTo('/revoke').length).toBe(1)
    const [{ url, init, form } = service.sent[0] as never] = sentTo('/revoke')
    expect(url.startsWith(HOST)).toBe(true)
    expect(Object.fromEntries(form)).toEqual({ token: 'refresh-1', client_id: CLIENT_ID })
    expect(init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    })
    service.clock.advance(10_000)
    expect(await outcome).toMatchObject({ revoked: false, error: { code: 'timed_out' } })
  })

  it('sends the access token if there is no other', async () => {
    const client = createGame()
    await service.tokens()
    await client.updateToken('access-1')
    await client.revokeToken()
    expect(sentTo('/revoke').at(-1)?.form.get('token')).toBe('access-1')
    expect(client.session).toBeNull()
  })

  it('is not asked for by a plain sign-out', async () => {
    const client = createGame()
    await service.signIn(client)
    expect(await client.signOut()).toEqual({ revoked: false })
    expect(await createGame().signOut({ revoke: true })).toEqual({ revoked: false })
    expect(sentTo('/revoke')).toEqual([])
  })
})

it.each([
  ['signs in if the Date header of the response agrees with the ID token', 0, undefined],
  ['is refused without a Date header that agrees', HOUR, 'invalid_id_token'],
])('a player whose clock is days behind %s', async (_, ahead, code) => {
  const client = createGame()
  const issued = service.clock.now() + 5 * DAY
  service.claims = { iat: issued / 1000, exp: issued / 1000 + 3600 }
  service.override = async () =>
    Response.json(await service.tokens(), { headers: { date: new Date(issued + ahead).toUTCString() } })
  expect(await codeOf(() => service.signIn(client))).toBe(code)
})

it('a token response without a body is malformed, and the session stays', async () => {
  const client = createGame()
  const session = await service.signIn(client)
  service.override = async () => new Response(null, { status: 200 })
  expect(await codeOf(() => client.refreshToken())).toBe('malformed_response')
  expect(client.session).toBe(session)
})

it("a backend's 401 to a change is returned if the session ended meanwhile, one to a read is for nobody", async () => {
  const client: Client = createGame({
    backendOrigins: ['https://game.test'],
    async fetch(url, init) {
      if (!url.startsWith('https://game.test')) return service.fetch(url, init)
      await client.signOut()
      return new Response(null, { status: 401 })
    },
  })
  await service.signIn(client)
  expect((await client.backend.fetch('/score', { method: 'POST' })).status).toBe(401)
  await service.signIn(client)
  expect(await codeOf(() => client.backend.fetch('/score'))).toBe('signed_out')
})

it.each([
  ['application/problem+json', 'refresh_rejected'],
  ['Application/JSON; charset=utf-8', 'refresh_rejected'],
  ['text/plain; like=application/json', 'malformed_response'],
  ['application/jsonp', 'malformed_response'],
])('an error of the token endpoint of type %s is %s', async (type, code) => {
  const client = createGame()
  await service.signIn(client)
  service.override = async () =>
    new Response('{"error":"invalid_grant"}', { status: 400, headers: { 'content-type': type } })
  expect(await codeOf(() => client.refreshToken())).toBe(code)
})

it('a request with a token that the game gives is sent once, whatever the response', async () => {
  let sent = 0
  const client = createGame({
    fetch: async () => (sent++, Response.json({ code: 0, message: '401: Unauthorized' }, { status: 401 })),
  })
  expect(await codeOf(() => client.fetchCurrentUser({ accessToken: 'a-token' }))).toBe('http_401')
  expect(sent).toBe(1)
})

it('a request to an unreachable backend rejects with connection_failed', async () => {
  const fetch: TokenService['fetch'] = (url, init) =>
    url.startsWith('https://game.test')
      ? Promise.reject(new TypeError('Failed to fetch'))
      : service.fetch(url, init)
  const client = createGame({ backendOrigins: ['https://game.test'], fetch })
  await service.signIn(client)
  expect(await codeOf(() => client.backend.fetch('/score'))).toBe('connection_failed')
})
