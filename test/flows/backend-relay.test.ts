/** A page without any token: its calls go through the game's backend, and behave as they do everywhere else. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  createLobbyHub,
  createPlayerTickets,
  createPlayerVerifier,
  memorySessionStore,
  respondToPlayerError,
  type SessionHandler,
} from 'foyer-sdk/server'
import { type Client, lobbyStream, type Fetch } from 'foyer-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findPlayer } from '../support/find-player'
import { ManualClock } from '../support/manual-clock'
import { createHandlerOf, PageOfBackend } from '../support/page-of-backend'
import { GAME } from '../support/session-browser'
import { codeOf, rejection } from '../support/settle'

let emulator: Emulator
let handler: SessionHandler
let page: PageOfBackend
/** Tokens that the service gave to the backend. */
let issued: string[]

beforeAll(async () => {
  emulator = await createEmulator({
    seed: { application: { publicClient: false } },
    idTokens: { forEveryGrant: true },
  })
})
beforeEach(() => {
  emulator.reset()
  issued = []
  handler = createHandlerOf(emulator, { tokens: 'none', fetch: fetchAndRecord })
  page = openPage()
})
afterAll(() => emulator.close())

const fetchAndRecord: Fetch = async (url, init) => {
  const response = await fetch(url, init)
  if (!url.endsWith('/oauth2/token')) return response
  const body = Object(await response.clone().json()) as Record<string, unknown>
  for (const name of ['access_token', 'refresh_token', 'id_token'])
    if (name in body) issued.push(String(body[name]))
  return response
}

function openPage(backend: (request: Request) => Promise<Response> = handler): PageOfBackend {
  const opened = new PageOfBackend(emulator, backend)
  onTestFinished(() => opened.close())
  return opened
}

const tokenRequests = () => emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token')).length
const KEYS = /^GET .*\/oauth2\/keys$/
const refuse = (times: number) =>
  emulator.faults([{ match: { path: '*/lobbies' }, effect: { status: 401, body: {} }, times }])

describe('a page without tokens', () => {
  it('signs in, and calls the service through its backend alone', async () => {
    const client = page.createClient()
    const session = await client.signIn()
    expect(session).toMatchObject({
      userId: findPlayer(emulator, 'ada').id,
      proof: 'id_token',
      state: 'fresh',
    })
    expect(session.user.username).toBe('ada')
    const lobby = await client.createOrJoinLobby('party', {
      member: { role: 'healer' },
      metadata: { map: 'moon' },
    })
    expect([lobby.metadata, lobby.members[0]?.metadata]).toEqual([{ map: 'moon' }, { role: 'healer' }])
    await lobby.send('Hello')
    expect((await lobby.fetchMessages()).map(({ content }) => content)).toEqual(['Hello'])
    expect(await client.fetchCurrentUser()).toMatchObject({ username: 'ada' })
    expect(await client.lobbies.fetchGuilds()).toEqual(expect.any(Array))
    await lobby.leave()
    // The keys of the service are public.
    expect(page.elsewhere.filter((line) => !KEYS.test(line))).toEqual([])
    expect(page.toGame).toContain(`DELETE /session/api/lobbies/${lobby.id}/members/@me`)
  })

  it('never receives a token, and says so where the game asks for one', async () => {
    const client = page.createClient()
    const { tokens } = await client.signIn()
    await client.createOrJoinLobby('party')
    refuse(1)
    await client.createOrJoinLobby('other')
    await client.refreshToken()
    expect(issued.length).toBe(5)
    for (const token of issued) expect(page.received.join('\n')).not.toContain(token)
    expect(() => tokens.accessToken.reveal()).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect([tokens.refreshToken, tokens.idToken]).toEqual([undefined, undefined])
  })

  it('continues in the next page, and ends with the session of the backend', async () => {
    await page.createClient().signIn()
    const next = page.createClient()
    expect(await next.resume()).toMatchObject({ userId: findPlayer(emulator, 'ada').id })
    await handler.end(findPlayer(emulator, 'ada').id)
    await expect(next.createOrJoinLobby('party')).rejects.toMatchObject({ code: 'session_expired' })
    expect(next.session).toBeNull()
  })

  it('signs in and continues where the service issues no ID token', async () => {
    const plain = await createEmulator({ seed: { application: { publicClient: false } } })
    onTestFinished(() => plain.close())
    const opened = new PageOfBackend(plain, createHandlerOf(plain, { tokens: 'none' }))
    onTestFinished(() => opened.close())
    expect(await opened.createClient().signIn()).toMatchObject({
      proof: 'userinfo',
      user: { username: 'ada' },
    })
    expect(await opened.createClient().resume()).toMatchObject({
      proof: 'userinfo',
      userId: findPlayer(plain, 'ada').id,
    })
  })

  it('has its tokens replaced by one refresh, in two processes, when the service refuses them', async () => {
    const store = memorySessionStore()
    const processes = [
      createHandlerOf(emulator, { tokens: 'none', store }),
      createHandlerOf(emulator, { tokens: 'none', store }),
    ]
    let turn = 0
    const client = openPage(
      async (request) => processes[turn++ % 2]?.(request) ?? Response.error(),
    ).createClient()
    await client.signIn()
    const before = tokenRequests()
    emulator.faults([{ match: { path: '*/users/@me' }, effect: { status: 401, body: {} }, times: 4 }])
    const users = await Promise.all([1, 2, 3, 4].map(() => client.fetchCurrentUser()))
    expect(users.map(({ username }) => username)).toEqual(['ada', 'ada', 'ada', 'ada'])
    expect(tokenRequests() - before).toBe(1)
    expect(await client.createOrJoinLobby('party')).toMatchObject({
      members: [{ id: findPlayer(emulator, 'ada').id }],
    })
  })

  it('gets the errors and the limits of the service', async () => {
    const client = page.createClient({ maxWait: 0 })
    await client.signIn()
    const lobby = await client.createOrJoinLobby('party')
    emulator.faults([
      { match: { path: '*/messages' }, effect: { status: 404, body: { code: 10_031, message: '' } } },
    ])
    await expect(lobby.fetchMessages()).rejects.toMatchObject({
      name: 'ApiError',
      code: 'unknown_lobby',
      status: 404,
      apiCode: 10_031,
    })
    emulator.faults([
      {
        match: { path: '*/lobbies' },
        effect: { status: 429, body: { message: '', retry_after: 7.5, global: false }, headers: {} },
        times: 9,
      },
    ])
    await expect(client.createOrJoinLobby('other')).rejects.toMatchObject({
      name: 'RateLimitError',
      code: 'rate_limited',
      retryAfter: expect.closeTo(7500, -3),
    })
  })

  it('keeps its session while the service, or its backend, cannot be reached', async () => {
    let isDown = false
    const clock = new ManualClock(Date.now())
    const backend = createHandlerOf(emulator, { tokens: 'none', clock })
    const client = openPage(async (request) =>
      isDown ? new Response('down', { status: 502 }) : backend(request),
    ).createClient({ clock })
    const { userId } = await client.signIn()
    isDown = true
    expect(await rejectionInTime(clock, () => client.fetchCurrentUser())).toMatchObject({
      status: 502,
      retryable: true,
    })
    isDown = false
    emulator.faults([{ match: { path: '*/users/@me' }, effect: { drop: true }, times: 99 }])
    expect(await rejectionInTime(clock, () => client.fetchCurrentUser())).toMatchObject({
      status: 503,
      retryable: true,
    })
    emulator.faults([])
    expect(await client.fetchCurrentUser()).toMatchObject({ id: userId })
  })
})

/** The time between the tries of a call passes meanwhile, though less than a request may take. */
async function rejectionInTime(clock: ManualClock, call: () => Promise<unknown>): Promise<unknown> {
  let isOver = false
  const outcome = rejection(call).finally(() => (isOver = true))
  await expect.poll(() => (clock.advance(100), isOver), { interval: 20 }).toBe(true)
  return outcome
}

/** A backend with a route of the game. */
async function serveScores(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/scores') return handler(request)
  const player = await handler.verify(request).catch(respondToPlayerError)
  return player instanceof Response ? player : Response.json({ id: player.id })
}

const callsOfBruno = () => emulator.requests.filter(({ player }) => player === 'bruno').length

describe('a page in whose browser another player signs in', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['a join', (client) => client.createOrJoinLobby('party')],
    ['a read', (client) => client.fetchCurrentUser()],
  ])('attack/169 does not act as that player: %s', async (_, call) => {
    const [client, other] = [page.createClient(), page.createClient({ as: 'bruno' })]
    await client.signIn()
    await other.signIn()
    const before = callsOfBruno()
    await expect(call(client)).rejects.toMatchObject({ code: 'session_expired' })
    expect([client.session, callsOfBruno()]).toEqual([null, before])
    expect(await client.resume()).toMatchObject({ userId: findPlayer(emulator, 'bruno').id })
  })

  it('is nobody for the routes of the game', async () => {
    const opened = openPage(serveScores)
    const [client, other] = [opened.createClient(), opened.createClient({ as: 'bruno' })]
    await client.signIn()
    await other.signIn()
    expect([(await client.backend.fetch('/scores')).status, client.session]).toEqual([401, null])
    expect(await (await other.backend.fetch('/scores')).json()).toEqual({
      id: findPlayer(emulator, 'bruno').id,
    })
  })

  it.each(['none', 'short'] as const)(
    'signs only its own player out, and revokes no token of the other: %s',
    async (tokens) => {
      const opened = openPage(createHandlerOf(emulator, { tokens }))
      const pages = ['ada', 'ada', 'bruno'].map((as) => opened.createClient({ as }))
      const [client, second, other] = pages as [Client, Client, Client]
      for (const each of pages) await each.signIn()
      await expect(client.revokeToken()).rejects.toMatchObject({ code: 'signed_out' })
      expect(await second.signOut({ revoke: true })).toEqual({ revoked: false })
      expect([second.session, await other.fetchCurrentUser()]).toEqual([
        null,
        expect.objectContaining({ username: 'bruno' }),
      ])
      expect(await opened.createClient().resume()).toMatchObject({ userId: findPlayer(emulator, 'bruno').id })
    },
  )
})

describe('the backend of a page without tokens', () => {
  it('knows the player of its own routes by the cookie, and issues tickets', async () => {
    const { id: applicationId } = emulator.application
    const tickets = createPlayerTickets({ applicationId, verify: handler.verify, purposes: ['match'] })
    const opened = openPage(async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/tickets') return tickets(request)
      if (pathname !== '/scores') return handler(request)
      const { id } = await handler.verify(request)
      return Response.json({ id })
    })
    const client = opened.createClient()
    const { userId } = await client.signIn()
    const response = await client.backend.fetch('/scores', { method: 'POST', body: '42' })
    expect(await response.json()).toEqual({ id: userId })
    const ticket = await client.backend.fetchTicket('/tickets?purpose=match')
    expect(await tickets.redeem(ticket, { purpose: 'match' })).toMatchObject({ id: userId })
    await expect(client.backend.fetchTicket('/tickets')).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/unknown_purpose: .*for example \?purpose=match$/),
    })
    await expect(client.backend.fetch(`${emulator.url}/x`)).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(handler.verify(new Request(`${GAME}/scores`))).rejects.toMatchObject({
      code: 'missing_player_token',
    })
  })

  it('says that a verifier of tokens finds none, in page and terminal, after one request', async () => {
    const print = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => print.mockRestore())
    const verify = createPlayerVerifier({
      applicationId: emulator.application.id,
      service: { host: emulator.url },
    })
    const opened = openPage(async (request) => {
      if (new URL(request.url).pathname !== '/me') return handler(request)
      const player = await verify(request).catch(respondToPlayerError)
      return player instanceof Response ? player : Response.json(player)
    })
    const remedies: unknown[] = []
    const client = opened.createClient({
      logger: ({ step, data }) => step === 'backend.refused' && remedies.push(data['remedy']),
    })
    await client.signIn()
    const responses = [await client.backend.fetch('/me'), await client.backend.fetch('/me')]
    expect(opened.toGame.filter((line) => line === 'GET /me')).toHaveLength(2)
    expect(responses.map(({ status }) => status)).toEqual([401, 401])
    expect(await responses[0]?.json()).toEqual({
      code: 'missing_player_token',
      message: expect.stringContaining("This page holds no token (tokens: 'none')") as string,
    })
    expect(remedies[0]).toContain('session.verify(request)')
    expect(print).toHaveBeenCalledOnce()
    expect(JSON.stringify(print.mock.calls)).toContain('session.verify(request)')
    expect(client.session).not.toBeNull()
  })

  it('follows lobbies with the token of the player, also after a call that came before the sign-in', async () => {
    const session = createHandlerOf(emulator, { fetch: fetchAndRecord })
    let follow: (authorization: string | null) => void
    const followed = new Promise<string | null>((resolve) => (follow = resolve))
    const opened = openPage(async (request) => {
      if (new URL(request.url).pathname !== '/hub') return session(request)
      follow(request.headers.get('authorization'))
      return new Response('', { headers: { 'content-type': 'text/event-stream' } })
    })
    const client = opened.createClient({ lobbyUpdates: lobbyStream(`${GAME}/hub`) })
    expect(await codeOf(() => client.createOrJoinLobby('party'))).toBe('signed_out')
    await client.signIn()
    await client.createOrJoinLobby('party')
    expect(await followed).toMatch(/^Bearer /)
  })

  it('says why it cannot be elsewhere, and sends nothing there', async () => {
    const logged: unknown[] = []
    const elsewhere = `${emulator.url}/lobby-stream`
    const client = page.createClient({
      lobbyUpdates: lobbyStream(elsewhere),
      logger: ({ step, data }) => step === 'lobby_stream.refused' && logged.push(data),
    })
    await client.signIn()
    await client.createOrJoinLobby('party')
    const remedy = expect.stringMatching(`only ${GAME} knows .* does not go to ${emulator.url}`)
    await expect.poll(() => logged[0]).toMatchObject({ code: 'unsupported', remedy })
    expect(page.elsewhere.filter((line) => line.includes(elsewhere))).toEqual([])
  })

  it('shows a lobby live by the cookie', async () => {
    const { id: applicationId, botToken: token } = emulator.application
    const backend = new ApplicationClient({
      applicationId,
      service: { host: emulator.url },
      credentials: botToken(token),
    })
    const hub = createLobbyHub({ client: backend, verify: handler.verify })
    onTestFinished(() => hub.close())
    const serve = async (request: Request) =>
      new URL(request.url).pathname === '/hub' ? hub(request) : handler(request)
    const [ada, bruno] = [openPage(serve), openPage(serve)]
    const client = ada.createClient({ lobbyUpdates: lobbyStream(`${GAME}/hub`) })
    await client.signIn()
    const lobby = await client.createOrJoinLobby('party')
    const joined = new Promise<readonly string[]>((resolve) => {
      client.on(
        'lobbyUpdated',
        ({ lobby: { members } }) => members.length === 2 && resolve(members.map(({ id }) => id)),
      )
    })
    const other = bruno.createClient({ as: 'bruno', lobbyUpdates: lobbyStream(`${GAME}/hub`) })
    await other.signIn()
    await other.createOrJoinLobby('party')
    expect((await joined).toSorted()).toEqual(
      [findPlayer(emulator, 'ada').id, findPlayer(emulator, 'bruno').id].toSorted(),
    )
    expect(lobby.members.length).toBe(2)
    expect(ada.elsewhere.filter((line) => !KEYS.test(line))).toEqual([])
  })
})
