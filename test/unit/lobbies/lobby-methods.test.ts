/** Calls of lobbies: leaving with the tab, announced changes, the stream of updates, and blocks by the service. */
import {
  type Client,
  type ClientOptions,
  type Lobby,
  type LobbyState,
  type LobbyUpdates,
  type RateLimitStore,
  Secret,
  type TokenSet,
} from 'foyer-sdk'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import { toLobby } from '../../support/internals'
import { createClientAt } from '../../support/local-client'
import { codeOf, rejection, settle } from '../../support/settle'
import { strayErrors } from '../../support/stray-errors'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../../support/token-service'

const OWN = `${HOST}/api/v10/lobbies/7/members/@me`
const LOBBY = {
  id: '7',
  application_id: CLIENT_ID,
  metadata: null,
  members: [{ id: USER_ID, metadata: null, flags: 0 }],
}
const MESSAGE = { id: '70', lobby_id: '7', content: 'Hi', author: { id: USER_ID, username: 'ada' } }

let service: TokenService
let sent: { call: string; init: RequestInit }[]
let answer: (call: string) => Response | Promise<Response> | undefined

beforeEach(async () => {
  service = await createTokenService()
  sent = []
  answer = () => undefined
})

function answerAsService(call: string): Response {
  if (call.startsWith('DELETE')) return new Response(null, { status: 204 })
  if (call.startsWith('GET')) return Response.json([MESSAGE])
  if (call.endsWith('/invites')) return Response.json({ code: 'a b' })
  return Response.json(call.endsWith('/messages') ? MESSAGE : LOBBY)
}

const fetch: TokenService['fetch'] = async (url, init) => {
  if (!url.includes('/lobbies')) return service.fetch(url, init)
  const call = `${init.method} ${url}`
  sent.push({ call, init })
  return answer(call) ?? answerAsService(call)
}

async function signIn(options: Partial<ClientOptions> = {}) {
  const client = createClientAt({ ...service, fetch }, options)
  await service.signIn(client)
  return client
}

/** The lobby of the player with this id, without a request. */
const enter = ({ lobbies }: Client, id = '7') => lobbies.add({ ...LOBBY, id })

const calls = () => sent.map(({ call }) => call.replace(`${HOST}/api/v10`, ''))

/** Makes the process a page that the test can hide, until the clients are closed. */
function openPage() {
  onTestFinished(() => void vi.unstubAllGlobals())
  const listeners = new Set<() => void>()
  const on = (name: string, listener: () => void) => void (name === 'pagehide' && listeners.add(listener))
  const off = (name: string, listener: () => void) => void (name === 'pagehide' && listeners.delete(listener))
  vi.stubGlobal('window', { addEventListener: on, removeEventListener: off })
  return {
    hide() {
      for (const listener of listeners) listener()
    },
  }
}

/** The service knows no such lobby of the player any more, until somebody adds the player again. */
async function endAndEnterAgain({ client, lobby }: { client: Client; lobby: Lobby }): Promise<void> {
  answer = () => Response.json({ code: 10_031, message: '' }, { status: 404 })
  await rejection(() => lobby.fetchMessages())
  answer = () => undefined
  expect(lobby.endReason).toBe('unknown')
  await enter(client)
}

describe('autoLeave', () => {
  it('leaves the lobby when the tab is hidden, with a request that outlives it', async () => {
    const page = openPage()
    const client = await signIn()
    const lobby = await client.createOrJoinLobby('moon')
    const left: string[] = []
    client.on('lobbyDeleted', ({ lobby: { id }, reason }) => left.push(`${id} ${reason}`))
    await lobby.autoLeave()
    page.hide()
    const { call, init } = sent.at(-1) ?? {}
    expect(call).toBe(`DELETE ${OWN}`)
    expect(init).toMatchObject({ keepalive: true, credentials: 'omit', redirect: 'manual' })
    expect(new Headers(init?.headers).get('authorization')).toBe(
      `Bearer ${client.session?.tokens.accessToken.reveal()}`,
    )
    expect([left, client.lobbies.get('7')]).toEqual([['7 left'], undefined])
  })

  it('leaves once for a lobby that it was called for twice, and every other lobby', async () => {
    const page = openPage()
    const client = await signIn()
    for (const id of ['7', '7', '8']) await (await enter(client, id)).autoLeave()
    page.hide()
    expect(calls()).toEqual(['DELETE /lobbies/7/members/@me', 'DELETE /lobbies/8/members/@me'])
  })

  it.each<[string, (given: { client: Client; lobby: Lobby; cancel: () => void }) => unknown]>([
    ['its function was called', ({ cancel }) => cancel()],
    ['the player has left', ({ lobby }) => lobby.leave()],
    ['the player has signed out', ({ client }) => client.signOut()],
    ['the client was closed', ({ client }) => client.close()],
    ['the lobby has ended, also for a later stay in it', endAndEnterAgain],
  ])('does nothing once %s', async (_, end) => {
    const page = openPage()
    const client = await signIn()
    const lobby = await enter(client)
    const cancel = await lobby.autoLeave()
    await end({ client, lobby, cancel })
    const before = sent.length
    page.hide()
    expect(sent).toHaveLength(before)
  })

  it('of another lobby goes on when the player leaves one', async () => {
    const page = openPage()
    const client = await signIn()
    const lobby = await enter(client, '7')
    await (await enter(client, '8')).autoLeave()
    await lobby.leave()
    page.hide()
    expect(calls().at(-1)).toBe('DELETE /lobbies/8/members/@me')
  })

  it('does not report a request that fails: nobody is there to receive it', async () => {
    using stray = strayErrors()
    const page = openPage()
    const client = await signIn({
      fetch: async (url, init) => (init.keepalive ? Promise.reject(new TypeError('gone')) : fetch(url, init)),
    })
    await (await enter(client)).autoLeave()
    page.hide()
    expect(await stray.errors()).toEqual([])
  })

  it('does nothing outside of a page, and no lobby has an id that is none', async () => {
    const client = await signIn()
    expect(await codeOf(() => enter(client, 'seven'))).toBe('invalid_argument')
    const lobby = await enter(client)
    expect((await lobby.autoLeave())()).toBeUndefined()
    expect([lobby.endReason, sent]).toEqual([null, []])
  })
})

describe('a lobby whose player is not signed in any more', () => {
  it.each<[string, (client: Client) => unknown, string | undefined]>([
    ['signs out', (client) => client.signOut(), undefined],
    [
      'is replaced by another one',
      (client) => client.updateToken(tokensOf('80351110224678999', service.clock.now())),
      '80351110224678999',
    ],
  ])('has ended before sessionChanged is emitted, when the player %s', async (_, end, next) => {
    const client = await signIn()
    const lobby = await enter(client)
    const seen: unknown[] = []
    client.on('lobbyDeleted', ({ reason }) => seen.push(reason))
    client.on('sessionChanged', ({ session }) =>
      seen.push([session?.userId, lobby.endReason, client.lobbies.size]),
    )
    await end(client)
    expect(seen).toEqual(['signed_out', [next, 'signed_out', 0]])
  })
})

/** Tokens of a player, from elsewhere. */
const tokensOf = (sub: string, now: number): TokenSet => ({
  accessToken: new Secret('of-another-player'),
  tokenType: 'Bearer',
  expiresAt: now + 3_600_000,
  scopes: [],
  claims: { iss: '', sub, aud: '', exp: 0, iat: 0 },
})

const ignore: (update: object) => void = () => undefined

/** A stream of updates that the test sends; records what the client announces and how often it is subscribed. */
function openStream() {
  const stream = {
    announced: [] as object[],
    subscribed: 0,
    active: new Set<object>(),
    tools: undefined as unknown,
    send: ignore,
  }
  const lobbyUpdates: LobbyUpdates = {
    subscribe(listener, tools) {
      stream.subscribed++
      stream.active.add(listener)
      stream.tools = tools
      stream.send = listener as never
      return () => void stream.active.delete(listener)
    },
    announce: (change) => void stream.announced.push(change),
  }
  return { stream, lobbyUpdates }
}

describe('a change by the own player', () => {
  it('is announced to the stream once the service has accepted it', async () => {
    const { stream, lobbyUpdates } = openStream()
    const client = await signIn({ lobbyUpdates })
    const lobby = await client.createOrJoinLobby('moon')
    await client.createOrJoinLobby('moon', { metadata: {}, member: {} })
    await lobby.send('Hi')
    await lobby.link('9')
    await lobby.unlink()
    await lobby.leave()
    const change = { lobbyId: '7' }
    expect(stream.announced).toEqual([
      change,
      change,
      { lobbyId: '7', messageId: '70' },
      change,
      change,
      change,
    ])
    stream.announced.length = 0
    answer = () => Response.json({ code: 10_031 }, { status: 404 })
    const before = sent.length
    const refused: ((given: Lobby) => Promise<unknown>)[] = [
      (given) => given.leave(),
      (given) => given.send('Hi'),
      (given) => given.link('9'),
    ]
    for (const call of refused) {
      const gone = await enter(client)
      expect(await codeOf(() => call(gone))).toBe('unknown_lobby')
    }
    // Each join reads the messages that are there, as its mark.
    const later = sent.slice(before).filter((each) => !JSON.stringify(each).includes('/messages?'))
    expect([stream.announced, later.length]).toEqual([[], 3])
  })

  it('that is rejected keeps the lobby, unless it is gone', async () => {
    const client = await signIn()
    const lobby = await client.createOrJoinLobby('moon')
    const left: string[] = []
    client.on('lobbyDeleted', ({ lobby: { id }, reason }) => left.push(`${id} ${reason}`))
    answer = () => Response.json({ code: 50_001 }, { status: 403 })
    expect(await codeOf(() => lobby.send('Hi'))).toBe('missing_access')
    expect(left).toEqual([])
    answer = () => Response.json({ code: 10_031 }, { status: 404 })
    expect(await codeOf(() => lobby.send('Hi'))).toBe('unknown_lobby')
    expect(left).toEqual(['7 unknown'])
  })

  it('succeeds even if the stream cannot announce it, or cannot announce at all', async () => {
    using stray = strayErrors()
    const { lobbyUpdates } = openStream()
    const client = await signIn({
      lobbyUpdates: {
        ...lobbyUpdates,
        announce() {
          throw new Error('away')
        },
      },
    })
    expect((await client.createOrJoinLobby('moon')).id).toBe('7')
    expect(await stray.errors()).toEqual(['Error: away'])
    const silent = await signIn({ lobbyUpdates: { subscribe: () => () => undefined } })
    expect((await silent.createOrJoinLobby('moon')).id).toBe('7')
  })
})

it('the limits of lobby calls are counted in the store that the game gives', async () => {
  const store = { ...new MemoryRateLimitStores(service.clock).store() }
  Reflect.deleteProperty(store, 'forApplication')
  const wanted: string[] = []
  const acquire: RateLimitStore['acquire'] = (request) => {
    wanted.push(...request.buckets.map(({ key }) => key))
    return store.acquire(request)
  }
  const client = await signIn({ rateLimitStore: { ...store, acquire } })
  await client.createOrJoinLobby('moon')
  expect(wanted).toContainEqual(expect.stringContaining('join_lobby'))
})

const GAME = 'https://game.example/'

/** The lobby with this id, with the player as its member, as a stream reports it. */
const stateOf = (id: string) => toLobby({ ...LOBBY, id }) as LobbyState

describe('the stream of a client', () => {
  it('is subscribed once per player, with the requests of that player, and ends with the session', async () => {
    const { stream, lobbyUpdates } = openStream()
    const client = await signIn({ lobbyUpdates })
    expect(stream.subscribed).toBe(0)
    await client.createOrJoinLobby('moon')
    await client.createOrJoinLobby('mars')
    expect([stream.subscribed, stream.active.size]).toEqual([1, 1])
    expect(stream.tools).toMatchObject({
      player: { isAllowed: expect.any(Function) },
      log: expect.any(Function),
    })
    await client.signOut()
    expect([stream.subscribed, stream.active.size]).toEqual([1, 0])
    await service.signIn(client)
    expect([stream.subscribed, stream.active.size]).toEqual([2, 1])
    client.close()
    expect(stream.active.size).toBe(0)
  })

  it('ends with a client that never signed in', async () => {
    const { stream, lobbyUpdates } = openStream()
    const client = createClientAt({ ...service, fetch }, { lobbyUpdates })
    expect(await codeOf(() => client.createOrJoinLobby('moon'))).toBe('signed_out')
    client.close()
    expect(stream.active.size).toBe(0)
  })

  it('changes the lobbies of the client, until the player is removed', async () => {
    const { stream, lobbyUpdates } = openStream()
    const client = await signIn({ lobbyUpdates })
    await client.createOrJoinLobby('moon')
    stream.send({ type: 'memberRemoved', lobbyId: '7', memberId: USER_ID })
    expect(Array.from(client.lobbies, ({ id }) => id)).toEqual([])
  })

  it('may name the lobby of a join before its response: the first event knows the link', async () => {
    const { stream, lobbyUpdates } = openStream()
    const client = await signIn({ lobbyUpdates })
    const shown: string[] = []
    client.on('lobbyCreated', ({ lobby }) => shown.push(lobby.inviteLink({ url: GAME })))
    client.on('lobbyUpdated', ({ lobby }) => shown.push(`${lobby.id} ${lobby.members[0]?.username}`))
    answer = (call) => {
      if (!call.startsWith('PUT')) return undefined
      const lobby = stateOf('7')
      stream.send({ type: 'lobby', lobby })
      for (const member of lobby.members)
        stream.send({ type: 'member', lobbyId: '7', member: { ...member, username: 'ada' } })
      expect(shown).toEqual([])
      return undefined
    }
    const lobby = await client.createOrJoinLobby('moon')
    expect(shown).toEqual([`${GAME}#join=moon`, '7 ada'])
    expect([lobby.members[0]?.username, client.lobbies.size]).toEqual(['ada', 1])
  })

  it('shows a lobby of the backend after a join that fails, and after two seconds of one that waits', async () => {
    const { stream, lobbyUpdates } = openStream()
    const client = await signIn({ lobbyUpdates })
    const ids = () => Array.from(client.lobbies, ({ id }) => id)
    answer = () => {
      stream.send({ type: 'lobby', lobby: stateOf('8') })
      return Response.json({ code: 50_001 }, { status: 403 })
    }
    expect(await codeOf(() => client.createOrJoinLobby('moon'))).toBe('missing_access')
    expect(ids()).toEqual(['8'])
    let resolve: (response: Response) => void = ignore
    answer = () => new Promise<Response>((settled) => (resolve = settled))
    const joining = client.createOrJoinLobby('mars')
    await expect.poll(() => sent.length).toBe(2)
    stream.send({ type: 'lobby', lobby: stateOf('9') })
    expect(ids()).toEqual(['8'])
    service.clock.advance(2000)
    expect(ids()).toEqual(['8', '9'])
    resolve(Response.json(LOBBY))
    expect((await joining).id).toBe('7')
    expect(ids()).toEqual(['8', '9', '7'])
  })

  it('makes the client read a message that it mentions, and no more after the sign-out', async () => {
    const { stream, lobbyUpdates } = openStream()
    const client = await signIn({ lobbyUpdates })
    await client.createOrJoinLobby('moon')
    const seen: string[] = []
    client.on('lobbyMessage', ({ message }) => seen.push(message.content))
    stream.send({ type: 'messagePending', lobbyId: '7', messageId: '70' })
    await expect.poll(() => seen).toEqual(['Hi'])
    await client.signOut()
    const before = sent.length
    stream.send({ type: 'messagePending', lobbyId: '7', messageId: '71' })
    await settle()
    expect(sent).toHaveLength(before)
  })
})

const polls = () => calls().filter((call) => call.startsWith('GET')).length

describe('watch', () => {
  it('polls every five seconds unless an interval is given', async () => {
    const lobby = await enter(await signIn())
    await lobby.watch()
    service.clock.advance(4999)
    await settle()
    expect(polls()).toBe(1)
    service.clock.advance(1)
    await expect.poll(polls).toBe(2)
  })

  it('that is aborted before or during its first poll rejects or ends, and polls no more', async () => {
    const lobby = await enter(await signIn())
    expect(await codeOf(() => lobby.watch({ signal: AbortSignal.abort() }))).toBe('aborted')
    const stop = new AbortController()
    answer = (call) => (call.startsWith('GET') ? (stop.abort(), undefined) : undefined)
    await rejection(() => lobby.watch({ signal: stop.signal }))
    const before = polls()
    service.clock.advance(60_000)
    await settle()
    expect(polls()).toBe(before)
  })

  it('that cannot begin leaves nothing behind', async () => {
    const lobby = await enter(await signIn())
    answer = () => Response.json({ code: 10_031 }, { status: 404 })
    const signal = new AbortController()
    expect(await codeOf(() => lobby.watch({ signal: signal.signal }))).toBe('unknown_lobby')
    answer = () => undefined
    service.clock.advance(60_000)
    await settle()
    expect(polls()).toBe(1)
  })

  it('ends when its function is called, and leaves other watchers alone', async () => {
    const client = await signIn()
    const lobby = await enter(client)
    const stop = await lobby.watch()
    await lobby.watch()
    stop()
    service.clock.advance(5000)
    await expect.poll(polls).toBe(3)
    await client.signOut()
    service.clock.advance(60_000)
    await settle()
    expect(polls()).toBe(3)
  })
})

it('a join that was aborted before it began does not hold up the next one of its lobby', async () => {
  const client = await signIn()
  expect(await codeOf(() => client.createOrJoinLobby('moon', { signal: AbortSignal.abort() }))).toBe(
    'aborted',
  )
  expect((await client.createOrJoinLobby('moon')).id).toBe('7')
})

it('a join begins at once when the one before it has failed', async () => {
  const client = await signIn()
  answer = () => (sent.length === 1 ? Response.json({ message: 'no' }, { status: 403 }) : undefined)
  const first = codeOf(() => client.createOrJoinLobby('moon'))
  const second = client.createOrJoinLobby('moon')
  expect(await first).toBe('http_403')
  await settle()
  expect(calls()).toEqual(['PUT /lobbies', 'PUT /lobbies'])
  expect((await second).id).toBe('7')
})

it('createGuildInvite returns the code, and its address at the service', async () => {
  const lobby = await enter(await signIn())
  expect(await lobby.createGuildInvite()).toEqual({ code: 'a b', url: `${HOST}/invite/a%20b` })
})

it('clearRateLimitBlocks lets the next call through after a refusal', async () => {
  const client = await signIn()
  answer = () =>
    Response.json(
      { retry_after: 200, global: false },
      { status: 429, headers: { 'x-ratelimit-scope': 'user' } },
    )
  expect(await codeOf(() => client.createOrJoinLobby('moon'))).toBe('rate_limited')
  answer = () => undefined
  const before = sent.length
  expect(await codeOf(() => client.createOrJoinLobby('moon'))).toBe('rate_limited')
  expect(sent).toHaveLength(before)
  await client.clearRateLimitBlocks()
  expect((await client.createOrJoinLobby('moon')).id).toBe('7')
})
