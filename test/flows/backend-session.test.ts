/** A client whose session the game's backend holds: what the option is refused with, and what the client says about a wrong address. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { ApiError, Client, type ClientOptions, type Fetch, memoryStore } from 'foyer-sdk'
import {
  ApplicationClient,
  clientSecret,
  createEventHandler,
  createSessionHandler,
  memorySessionStore,
  type SessionHandlerOptions,
  toNodeListener,
} from 'foyer-sdk/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { findPlayer } from '../support/find-player'
import { listen } from '../support/loopback'
import { createHandlerOf } from '../support/page-of-backend'
import { GAME, SessionBrowser } from '../support/session-browser'

type Backend = (request: Request) => Promise<Response>

let emulator: Emulator
/** What answers at the address of the game now. */
let backend: Backend
let browser: SessionBrowser
/** Paths that the page asked the backend for. */
let asked: string[]

beforeAll(async () => {
  emulator = await createEmulator({
    seed: { application: { publicClient: false } },
    idTokens: { forEveryGrant: true },
  })
})
beforeEach(() => {
  emulator.reset()
  asked = []
  backend = createHandler()
  browser = new SessionBrowser((request) => backend(request))
})
afterAll(() => emulator.close())

function createHandler(options: Partial<SessionHandlerOptions> = {}): Backend {
  const { id: applicationId, clientSecret: secret } = emulator.application
  const parts = { applicationId, service: { host: emulator.url }, credentials: clientSecret(secret) }
  return createSessionHandler({ ...parts, origins: [GAME], store: memorySessionStore(), ...options })
}

const answerWithPage =
  (status: number): Backend =>
  async () =>
    new Response('<h1>The game</h1>', { status, headers: { 'content-type': 'text/html' } })

/** As a browser sends a request of the page: with its origin, and with cookies to the game only. */
const fetchInPage: Fetch = (url, init) => {
  if (!url.startsWith(GAME)) return fetch(url, init)
  const headers = new Headers(init.headers)
  headers.set('origin', GAME)
  asked.push(url.slice(GAME.length))
  return browser.send(url.slice(GAME.length), { ...init, headers })
}

function createGame(options: Partial<ClientOptions> = {}): Client {
  const client = new Client({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    surface: consentSurface(emulator, { redirectUri: `${GAME}/callback.html` }),
    fetch: fetchInPage,
    backendSession: `${GAME}/session`,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

const codesRedeemed = () => emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token')).length

describe('a session of the backend', () => {
  it('continues in the next page, without a refresh token', async () => {
    const { userId, tokens } = await createGame().signIn()
    expect([userId, tokens.refreshToken]).toEqual([findPlayer(emulator, 'ada').id, undefined])
    // The client asks whether the cookie is there.
    expect(asked).toEqual(['/session/sign-in', '/session/token'])
    expect(await createGame().resume()).toMatchObject({ userId })
    expect(asked.slice(2)).toEqual(['/session/token'])
  })

  it('is over for the next page after a sign-out', async () => {
    const game = createGame()
    await game.signIn()
    expect(await game.signOut()).toEqual({ revoked: false })
    expect(await createGame().resume()).toBeNull()
  })
})

/** The service's answer to a token. */
const statusOf = async (token: string) =>
  (await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: `Bearer ${token}` } })).status

describe.each(['short', 'none'] as const)('the first question of a page, with tokens: %s', (tokens) => {
  it.each<[visitor: string, before: (game: Client) => Promise<unknown>]>([
    ['who was never here', async () => undefined],
    ['who has signed out', async (game) => game.signOut()],
    [
      'whose session has ended elsewhere',
      async () => browser.cookies.forEach((_, name) => browser.cookies.set(name, 'x')),
    ],
  ])('of a visitor %s is answered, so that the browser shows no error', async (visitor, before) => {
    backend = createHandler({ tokens })
    const statuses: number[] = []
    const noted: Fetch = async (url, init) => {
      const response = await fetchInPage(url, init)
      statuses.push(response.status)
      return response
    }
    const game = createGame()
    if (!visitor.includes('never')) await game.signIn()
    await before(game)
    expect(await createGame({ fetch: noted }).resume()).toBeNull()
    expect(statuses).toEqual([200])
  })
})

describe('the revocation of a token', () => {
  it('goes through the backend, which has the secret, and ends the session there too', async () => {
    const game = createGame()
    const { tokens } = await game.signIn()
    const copied = new Map(browser.cookies)
    await game.revokeToken()
    expect(browser.cookies.size).toBe(0)
    for (const cookie of copied) browser.cookies.set(...cookie)
    expect([game.session, await createGame().resume(), await statusOf(tokens.accessToken.reveal())]).toEqual([
      null,
      null,
      401,
    ])
    expect(asked.slice(2)).toEqual(['/session/revoke', '/session/token'])
  })

  it('of another token leaves the session alone', async () => {
    const game = createGame()
    await game.signIn()
    await game.revokeToken('of-somebody-else')
    expect(await createGame().resume()).toMatchObject({ userId: game.session?.userId })
    await expect(createGame().revokeToken('of-somebody-else')).resolves.toBeUndefined()
  })

  it('that fails is reported, and the player stays signed in', async () => {
    const game = createGame()
    await game.signIn()
    emulator.faults([
      { match: { path: '*/oauth2/token/revoke' }, effect: { status: 503, body: {} }, times: 9 },
    ])
    await expect(game.revokeToken()).rejects.toMatchObject({ status: 503 })
    emulator.faults([])
    expect(game.session).not.toBeNull()
    expect(await createGame().resume()).toMatchObject({ userId: game.session?.userId })
  })
})

describe('a player who withdraws the authorization', () => {
  it('is signed out everywhere by the event of the service', async () => {
    const session = createHandlerOf(emulator)
    backend = session
    const events = createEventHandler({
      publicKey: emulator.application.publicKey,
      on: { APPLICATION_DEAUTHORIZED: ({ user }) => session.end(user.id) },
    })
    const listener = toNodeListener(events)
    const server = await listen(createServer((incoming, outgoing) => void listener(incoming, outgoing)))
    onTestFinished(server.close)
    await emulator.webhooks.connect(`http://127.0.0.1:${server.port}/events`)
    await createGame().signIn()
    const game = createGame()
    await game.resume()
    emulator.tokens({ user: 'ada', action: 'revoke' })
    await expect
      .poll(() => emulator.webhooks.list().filter(({ type }) => type === 'APPLICATION_DEAUTHORIZED').length)
      .toBe(1)
    await expect.poll(() => createGame().resume()).toBeNull()
    await expect(game.refreshToken()).rejects.toMatchObject({ code: 'session_expired' })
  })
})

async function signInAndRevoke(recover?: SessionHandlerOptions['recover']): Promise<Client> {
  backend = createHandler({ recover })
  const game = createGame()
  await game.signIn()
  emulator.tokens({ user: 'ada', action: 'revoke' })
  return game
}

describe('a session whose refresh token the service refuses', () => {
  const proof = { externalAuthType: 'OIDC', externalAuthToken: 'emu:sam' }

  it('goes on as the provisional account of the player, in the next page or after resume', async () => {
    const { id: applicationId, clientSecret: secret } = emulator.application
    const client = new ApplicationClient({
      applicationId,
      service: { host: emulator.url },
      credentials: clientSecret(secret),
    })
    const asOf: string[] = []
    const game = await signInAndRevoke((playerId) => {
      asOf.push(playerId)
      return client.tokens.provisional(proof)
    })
    await expect(game.refreshToken()).rejects.toMatchObject({ code: 'session_expired' })
    const session = await game.resume()
    expect([session?.tokens.refreshToken, session?.userId === asOf[0], asOf.length]).toEqual([
      undefined,
      false,
      1,
    ])
    expect(asOf).toEqual([findPlayer(emulator, 'ada').id])
    expect(await createGame().resume()).toMatchObject({ userId: session?.userId })
  })

  it.each<[string, SessionHandlerOptions['recover']]>([
    ['there is no provisional account', async () => null],
    [
      'the account is a full one (530010)',
      () =>
        Promise.reject(new ApiError('account_not_provisional', 'POST /partner-sdk/token', { status: 400 })),
    ],
    ['the game has none', undefined],
  ])('ends if %s, so that the player signs in', async (_, recover) => {
    const game = await signInAndRevoke(recover)
    await expect(game.refreshToken()).rejects.toMatchObject({ code: 'session_expired' })
    expect(await createGame().resume()).toBeNull()
    expect((await game.signIn()).userId).toBe(findPlayer(emulator, 'ada').id)
  })
})

describe('beside backendSession', () => {
  it.each<[keyof ClientOptions, Partial<ClientOptions>]>([
    ['tokenStore', { tokenStore: memoryStore() }],
    ['getToken', { getToken: async () => null }],
  ])('%s is refused by the first call, before a code is redeemed', async (name, rival) => {
    const refusal = {
      code: 'invalid_argument',
      message: expect.stringMatching(
        new RegExp(`${name}.*Leave it out: backendSession brings the tokens`, 's'),
      ),
    }
    await expect(createGame(rival).resume()).rejects.toMatchObject(refusal)
    await expect(createGame(rival).signIn()).rejects.toMatchObject(refusal)
    await expect(createGame(rival).signOut()).rejects.toMatchObject(refusal)
    expect([asked, codesRedeemed()]).toEqual([[], 0])
  })
})

describe('an address of backendSession', () => {
  it.each(['', '/', '/session', 'https://'])(
    'that is %j without a page is refused',
    async (backendSession) => {
      const remedy = "Give '/session', or 'https://game.example/session'"
      const refusal = { code: 'invalid_argument', message: expect.stringContaining(remedy) }
      await expect(createGame({ backendSession }).resume()).rejects.toMatchObject(refusal)
      await expect(createGame({ backendSession }).signIn()).rejects.toMatchObject(refusal)
      expect(codesRedeemed()).toBe(0)
    },
  )

  it('without encryption is refused', async () => {
    await expect(
      createGame({ backendSession: 'http://game.example/session' }).resume(),
    ).rejects.toMatchObject({
      code: 'insecure_endpoint',
    })
  })
})

describe.each(['short', 'none'] as const)('a browser that keeps no cookie, with tokens: %s', (tokens) => {
  it.each([
    ['https://ada.github.io', 'https://game-api.github.io'],
    ['https://game.co.uk', 'https://other.co.uk'],
    ['http://[::1]:5173', 'http://[::1]:8080'],
    ['https://behind-a-proxy.example', 'https://behind-a-proxy.example'],
  ])('rejects the sign-in, for a page of %s and a backend of %s', async (page, address) => {
    const handler = createHandler({ origins: [page], tokens })
    vi.stubGlobal('location', new URL(page))
    onTestFinished(() => void vi.unstubAllGlobals())
    const game = createGame({
      backendSession: `${address}/session`,
      fetch: (url, init) => {
        if (!url.startsWith(address)) return fetch(url, init)
        const headers = new Headers(init.headers)
        headers.set('origin', page)
        return handler(new Request(url, { ...init, headers }))
      },
    })
    const error: unknown = await game.signIn().catch((reason: unknown) => reason)
    for (const host of [new URL(page).hostname, new URL(address).hostname])
      expect(error).toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining(host),
      })
    expect(game.session).toBeNull()
  })
})

it('a backend that fails after the sign-in loses nobody: whether the cookie is there is not known', async () => {
  const right = backend
  backend = async (request) => {
    const response = await right(request)
    if (request.url.endsWith('/sign-in')) backend = answerWithPage(502)
    return response
  }
  const game = createGame()
  await game.signIn()
  expect(game.session?.userId).toBe(findPlayer(emulator, 'ada').id)
})

const ELSEWHERE = 'No createSessionHandler answers POST /session/[a-z-]+: .*give it every path below /session'
const REDIRECTED = 'The host redirects it: give the address without a redirect'
const FOREIGN = 'List the origin of this page in the origins of createSessionHandler'

/** As a host that wants a slash at the end of each path, or a login. */
const redirect =
  (status: number): Backend =>
  async ({ url }) =>
    new Response(null, { status, headers: { location: `${url}/` } })

/** The wrong backend, its answer, and what the client says. */
const WRONG: readonly (readonly [string, () => Backend, string])[] = [
  ['a handler for other pages (403)', () => createHandler({ origins: ['https://other.example'] }), FOREIGN],
  [
    'a handler with another path (404)',
    () => createHandler({ path: '/play/session' }),
    "createSessionHandler is reached at /session, and its path is /play/session: set path: '/session'",
  ],
  ['a server without a handler (404)', () => answerWithPage(404), ELSEWHERE],
  ['a host of files (405)', () => answerWithPage(405), ELSEWHERE],
  ['a host that redirects to a slash at the end (308)', () => redirect(308), REDIRECTED],
  ['a host that redirects to its login (302)', () => redirect(302), REDIRECTED],
  // A page sees no status of a redirect.
  ['a host that redirects a page (0)', () => async () => Response.error(), REDIRECTED],
  ['a host with one page for all paths (200)', () => answerWithPage(200), ELSEWHERE],
]

describe.each(WRONG)('%s', (_, createWrong, remedy) => {
  const refusal = {
    code: 'invalid_argument',
    message: expect.stringMatching(new RegExp(`backendSession.*${remedy}`, 's')),
  }

  it('is named with a remedy, and what it says helps', async () => {
    const right = backend
    backend = createWrong()
    const game = createGame()
    await expect(game.resume()).rejects.toMatchObject(refusal)
    await expect(game.signIn()).rejects.toMatchObject(refusal)
    expect(await game.signOut()).toMatchObject({ revoked: false, error: refusal })
    backend = right
    expect(await game.resume()).toBeNull()
    await game.signIn()
    expect(game.session?.userId).toBe(findPlayer(emulator, 'ada').id)
  })

  it('that replaces the backend for a while signs nobody out', async () => {
    const game = createGame()
    const { userId } = await game.signIn()
    const right = backend
    backend = createWrong()
    await expect(game.refreshToken()).rejects.toMatchObject(refusal)
    expect(game.session?.userId).toBe(userId)
    backend = right
    await expect(game.refreshToken()).resolves.toMatchObject({ accessToken: expect.anything() })
  })
})

describe.each([401, 403, 502])('a page of a proxy with the status %i', (status) => {
  it('is no answer of the backend: the player stays signed in', async () => {
    const game = createGame()
    const { userId } = await game.signIn()
    backend = answerWithPage(status)
    await expect(game.refreshToken()).rejects.toMatchObject({ code: `http_${status}` })
    await expect(createGame().resume()).rejects.toMatchObject({
      code: `http_${status}`,
      retryable: status === 502,
    })
    expect(game.session?.userId).toBe(userId)
  })
})

const down = () => Promise.reject(new Error('connect ECONNREFUSED'))

describe.each(['sign-in', 'revoke'])('a backend whose store is down at %s', (name) => {
  it('is named by its code, and the page says where the reason is', async () => {
    const store = memorySessionStore()
    const right = createHandler({ store })
    const failing = createHandler({
      store: { ...store, get: down, set: down, lock: down },
      logger: () => undefined,
    })
    backend = async (request) => (request.url.endsWith(name) ? failing(request) : right(request))
    const game = createGame()
    const call = async () => {
      await game.signIn()
      await game.revokeToken()
    }
    await expect(call()).rejects.toMatchObject({
      code: 'http_503',
      retryable: true,
      message: `http 503: POST /session/${name}. The backend says store_unavailable, and its log has the reason`,
    })
  })
})
