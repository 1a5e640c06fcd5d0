/** Lifecycle of a session against the emulator, through the public API alone. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, type ClientOptions, memoryStore, type Session } from 'foyer-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'

const LOOPBACK = 'http://127.0.0.1:51234/callback'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const TOKEN = { method: 'POST', path: '/api/v10/oauth2/token' }
let emulator: Emulator
let offset = 0
let clients: Client[] = []

/** A clock ahead of the system clock by an adjustable offset; the emulator’s clock advances with it. */
const clock = {
  now: () => Date.now() + offset,
  after(delay: number, callback: () => void) {
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  },
}

function pass(ms: number): void {
  offset += ms
  emulator.advance(ms)
}

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())
beforeEach(() => {
  offset = 0
})
afterEach(() => {
  for (const client of clients) client.close()
  clients = []
  emulator.faults([])
  emulator.reset()
})

function createGame(options: Partial<ClientOptions> = {}): Client {
  const client = new Client({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    clock,
    ...options,
  })
  clients.push(client)
  return client
}

const signIn = (client: Client, as = 'ada'): Promise<Session> =>
  client.signIn({ surface: consentSurface(emulator, { as, redirectUri: LOOPBACK }) })

const refreshes = () =>
  emulator.requests.filter(({ method, path }) => method === 'POST' && path === TOKEN.path).length

describe('a session', () => {
  it('is refreshed on demand, with one request for twenty calls', async () => {
    const client = createGame()
    const before = await signIn(client)
    pass(8 * DAY)
    expect(client.session?.state).toBe('stale')
    const sent = refreshes()
    const users = await Promise.all(Array.from({ length: 20 }, () => client.fetchCurrentUser()))
    expect(users.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, () => before.userId))
    expect(refreshes() - sent).toBe(1)
    expect(client.session).toMatchObject({ userId: before.userId, state: 'fresh' })
    expect(client.session?.tokens.accessToken.reveal()).not.toBe(before.tokens.accessToken.reveal())
  })

  it('is restored from its store without a request, and can be refreshed then', async () => {
    const tokenStore = memoryStore()
    const first = createGame({ tokenStore })
    const { userId } = await signIn(first)
    expect(first.session?.storage).toBe('store')
    first.close()
    const sent = emulator.requests.length
    const second = createGame({ tokenStore })
    expect(await second.resume()).toMatchObject({ userId, state: 'fresh', storage: 'store' })
    expect(await second.resume()).toBe(second.session)
    expect(second.status).toBe('ready')
    expect(emulator.requests).toHaveLength(sent)
    await second.refreshToken()
    second.close()
    const third = createGame({ tokenStore })
    await third.resume()
    expect(third.session?.tokens.accessToken.reveal()).toBe(
      second.session?.tokens.accessToken.reveal() ?? third.session?.tokens.accessToken.reveal(),
    )
    expect((await third.fetchCurrentUser()).id).toBe(userId)
  })

  it('is refreshed ahead of expiry, except while it is on hold', async () => {
    const client = createGame()
    await signIn(client)
    const release = client.pauseRefresh()
    pass(5 * DAY)
    const sent = refreshes()
    await client.fetchCurrentUser()
    expect(refreshes()).toBe(sent)
    release()
  })

  it('survives an offline hour, 5xx, 429 and a captive portal while its token is valid', async () => {
    const client = createGame()
    const { userId } = await signIn(client)
    for (const effect of [
      { drop: true },
      { status: 503 },
      { status: 429 },
      { status: 200, body: '<html>Log in</html>' },
    ] as const) {
      emulator.faults({ match: TOKEN, effect })
      await expect(client.refreshToken()).rejects.toMatchObject({
        name: expect.not.stringMatching('SessionError'),
      })
      expect(client.session).toMatchObject({ userId, state: 'fresh' })
      expect((await client.fetchCurrentUser()).id).toBe(userId)
      pass(31_000)
    }
    await client.refreshToken()
    expect((await client.fetchCurrentUser()).id).toBe(userId)
  })

  it.each([
    ['seconds', 429, () => '120'],
    ['a date', 503, () => new Date(clock.now() + 120_000).toUTCString()],
  ])('sends no request before Retry-After is over: %s', async (_, status, retryAfter) => {
    const client = createGame()
    const { userId } = await signIn(client)
    pass(8 * DAY)
    emulator.faults({
      match: TOKEN,
      effect: { status, headers: { 'retry-after': retryAfter() }, body: '<html>Later</html>' },
    })
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({ code: `http_${status}`, retryable: true })
    const sent = refreshes()
    pass(60_000)
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({
      code: 'refresh_in_doubt',
      retryable: true,
    })
    expect(refreshes()).toBe(sent)
    pass(62_000)
    expect((await client.fetchCurrentUser()).id).toBe(userId)
    expect(refreshes()).toBe(sent + 1)
  })

  it('ends only on invalid_grant, and reports it', async () => {
    const client = createGame()
    const { userId } = await signIn(client)
    const ends: unknown[] = []
    client.on('sessionChanged', ({ session, cause }) => ends.push([session, cause?.code]))
    emulator.tokens({ user: userId, action: 'revoke' })
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({ code: expect.any(String) })
    pass(HOUR)
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({
      name: 'SessionError',
      code: 'refresh_rejected',
    })
    expect(client.session).toBeNull()
    expect(ends).toEqual([[null, 'refresh_rejected']])
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({
      name: 'SessionError',
      code: 'refresh_rejected',
    })
  })

  it('with a lost refresh response is in doubt for 30 s, retries once and then ends', async () => {
    const client = createGame()
    await signIn(client)
    pass(8 * DAY)
    emulator.faults({ match: TOKEN, effect: { lostAnswer: true } })
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({ name: 'NetworkError' })
    const sent = refreshes()
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({
      code: 'refresh_in_doubt',
      retryable: true,
    })
    expect(refreshes()).toBe(sent)
    expect(client.session?.state).toBe('offline')
    expect(client.status).toBe('reconnecting')
    pass(30_000)
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({ code: 'refresh_answer_lost' })
    expect(refreshes()).toBe(sent + 1)
  })

  it('is deleted from the client and the store by a sign-out', async () => {
    const tokenStore = memoryStore()
    const client = createGame({ tokenStore })
    await signIn(client)
    expect(await client.signOut()).toEqual({ revoked: false })
    expect(await createGame({ tokenStore }).resume()).toBeNull()
  })

  it('is revoked by a sign-out only with `revoke`', async () => {
    const client = createGame()
    await signIn(client)
    const token = client.session?.tokens.accessToken
    await client.signOut()
    const other = createGame()
    await other.updateToken(token ?? '')
    expect((await other.fetchCurrentUser()).id).toBe(other.session?.userId)
    expect(await other.signOut({ revoke: true })).toEqual({ revoked: true })
    await expect(createGame().updateToken(token ?? '')).rejects.toMatchObject({
      name: 'ApiError',
      status: 401,
    })
  })
})
