/** A game's whole backend in one Durable Object, in workerd, against the emulator: with two and fifty players, and ended in between. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, type Lobby, lobbyStream } from 'foyer-sdk'
import {
  type PurchaseStore,
  type ReplayStore,
  type SessionStore,
  type TicketStore,
  toNodeListener,
} from 'foyer-sdk/server'
import {
  type BrokerListener,
  type LobbyBroker,
  testLobbyBroker,
  testPurchaseStore,
  testReplayStore,
  testSessionStore,
  testTicketStore,
} from 'foyer-sdk/store-tests'
import { supportedCompatibilityDate } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../support/loopback'
import { codeFor } from '../../support/session-browser'
import { bundleWorker, type RunningWorker, startWorker } from '../../support/workers/start-worker'

/** ms for an answer of a Worker. */
const PATIENCE = 15_000
const SOON = { timeout: PATIENCE, interval: 100 }
const MANY = 50
const ROOMS = 5
/** For players whose streams are opened again one after the other. */
const LONG = { timeout: 40_000, interval: 100 }

let emulator: Emulator
let worker: RunningWorker
const players: Client[] = []

beforeAll(async () => {
  emulator = await createEmulator({
    seed: {
      users: Array.from({ length: MANY + 2 }, (_, index) => ({
        id: String(1_082_700_000_000_001_000n + BigInt(index)),
        username: `player_${index}`,
      })),
    },
    commands: { globalDelay: 0 },
    idTokens: { forEveryGrant: true },
  })
  const { id, botToken, clientSecret, publicKey } = emulator.application
  worker = await startWorker({
    script: await bundleWorker('durable-game.mjs'),
    compatibilityDate: supportedCompatibilityDate,
    durableObjects: { GAME: 'Game', FORGETFUL: 'Forgetful' },
    bindings: {
      FOYER_APPLICATION_ID: id,
      FOYER_BOT_TOKEN: botToken,
      FOYER_CLIENT_SECRET: clientSecret,
      FOYER_PUBLIC_KEY: publicKey,
      FOYER_HOST: emulator.url,
    },
  })
})
afterAll(async () => {
  for (const player of players) player.close()
  await worker.close()
  await emulator.close()
})

const post = async (path: string, body: unknown = {}): Promise<unknown> => {
  const init = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE) }
  return (await fetch(`${worker.url}/${path}`, init)).json()
}
/** What the object returned. */
const run = async (path: string, body?: unknown): Promise<never> => {
  const { done, error } = (await post(path, body)) as { done?: unknown; error?: string }
  if (error !== undefined) throw new Error(error)
  return done as never
}

const idOf = (name: string) => emulator.users.find(({ username }) => username === name)?.id

async function playerOf(as: string): Promise<Client> {
  const client = new Client({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    backendOrigins: [worker.url],
    lobbyUpdates: lobbyStream(`${worker.url}/lobbies`),
  })
  players.push(client)
  const open = async (url: string) => (await emulator.authorize(url, { as })).redirect ?? ''
  await client.signIn({ surface: { open } })
  return client
}

const tokenOf = (client: Client): string => client.session?.tokens.accessToken.reveal() ?? ''

const askSession = (name: string, body: object, cookie = '') =>
  fetch(`${worker.url}/session/${name}`, {
    method: 'POST',
    headers: { origin: 'https://game.example', 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE),
  })

/** Ends the object, as the host does when it likes. Its storage stays. */
async function recreate(): Promise<void> {
  const before = await run('identity')
  await worker.restart()
  expect(await run('identity')).not.toBe(before)
}

describe('two players', () => {
  it('see each other live, also after the object was ended, and lose no lobby', async () => {
    const [ada, bruno] = await Promise.all([0, 1].map((index) => playerOf(`player_${index}`)))
    if (!ada || !bruno) throw new Error('nobody')
    const lobby = await ada.createOrJoinLobby('room')
    const seen: string[] = []
    lobby.on('message', ({ message }) => seen.push(message.content))
    const other = await bruno.createOrJoinLobby('room')
    await expect.poll(() => lobby.members.length, SOON).toBe(2)
    await other.send('before')
    await expect.poll(() => seen, SOON).toEqual(['before'])
    await recreate()
    await other.send('after')
    await expect.poll(() => seen, { ...SOON, timeout: 40_000 }).toEqual(['before', 'after'])
    expect([lobby.members.length, other.members.length]).toEqual([2, 2])
  }, 60_000)

  it('are refused with a wrong token', async () => {
    const headers = { authorization: 'Bearer wrong' }
    const response = await fetch(`${worker.url}/lobbies`, { headers, signal: AbortSignal.timeout(PATIENCE) })
    expect(response.status).toBe(401)
  })
})

/** What a player of a room has seen. */
interface Seat {
  readonly player: Client
  readonly lobby: Lobby
  readonly messages: string[]
}

/** Rooms of ten, each with its players in the order in which they sit. */
async function seatEverybody(): Promise<Seat[][]> {
  const seats = await Promise.all(
    Array.from({ length: MANY }, async (_, index) => {
      const player = await playerOf(`player_${index + 2}`)
      const lobby = await player.createOrJoinLobby(`room-${index % ROOMS}`, { member: { seat: `${index}` } })
      const messages: string[] = []
      lobby.on('message', ({ message }) => void messages.push(message.content))
      return { player, lobby, messages }
    }),
  )
  return Array.from({ length: ROOMS }, (_, room) => seats.filter((_seat, index) => index % ROOMS === room))
}

const membersOf = ({ lobby }: Seat) => lobby.members.map(({ id }) => String(id)).toSorted()

async function everybodyKnows(room: Seat[]): Promise<void> {
  const ids = room.map(({ player }) => String(player.session?.userId)).toSorted()
  await expect.poll(() => room.map(membersOf), LONG).toEqual(room.map(() => ids))
}

/** Each message once. */
async function everybodyHeard(room: Seat[], ...said: string[]): Promise<void> {
  const expected = room.map(() => said.toSorted())
  await expect.poll(() => room.map(({ messages }) => messages.toSorted()), LONG).toEqual(expected)
}

/** The two messages of a round. */
const round = (name: string) => [`${name} 0`, `${name} 1`]
const [BEFORE, DURING, AFTER] = [round('before'), round('during'), round('after')]

const say = (room: Seat[], name: string) =>
  Promise.all(round(name).map(async (text, index) => room[index]?.lobby.send(text)))

// Each round has the expectations.
// oxlint-disable-next-line vitest/expect-expect
it(`${MANY} players lose nothing and see nothing twice when the object ends while they speak and leave`, async () => {
  const rooms = await seatEverybody()
  for (const room of rooms) await everybodyKnows(room)
  await Promise.all(rooms.map((room) => say(room, 'before')))
  for (const room of rooms) await everybodyHeard(room, ...BEFORE)

  // The object ends while they speak, and again while the streams of most players are not open yet.
  await Promise.all([recreate(), ...rooms.map((room) => say(room, 'during'))])
  for (const room of rooms) await everybodyHeard(room, ...BEFORE, ...DURING)
  await recreate()
  const left = rooms.flatMap((room) => room.splice(-1))
  await Promise.all([...rooms.map((room) => say(room, 'after')), ...left.map(({ lobby }) => lobby.leave())])
  for (const room of rooms) {
    await everybodyHeard(room, ...BEFORE, ...DURING, ...AFTER)
    await everybodyKnows(room)
  }

  for (const { player } of [...rooms.flat(), ...left]) player.close()
}, 120_000)

describe('what the object stores', () => {
  it('is a session that goes on after the object was ended', async () => {
    const signedIn = await askSession('sign-in', await codeFor(emulator, 'player_0'))
    expect(signedIn.status).toBe(200)
    const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0] ?? ''
    await recreate()
    const renewed = await askSession('token', {}, cookie)
    expect(renewed.status).toBe(200)
    expect(await renewed.json()).toMatchObject({ user_id: idOf('player_0') })
  })

  it('is a ticket that is redeemed once, after the object was ended', async () => {
    const [ada] = players
    const ticket = await run('issue', { token: ada && tokenOf(ada) })
    await recreate()
    expect(await run('redeem', { ticket })).toBe(ada?.session?.userId)
    await expect(run('redeem', { ticket })).rejects.toThrow('ticket')
  })

  it('is an interaction that was answered: it is refused when it comes again after the object was ended', async () => {
    // The emulator has a command of its own too, which launches the Activity.
    expect(await run('sync')).toBe(2)
    const sent: RequestInit[] = []
    const forward = async (request: Request): Promise<Response> => {
      const init = { method: 'POST', headers: request.headers, body: await request.text() }
      if (init.body.includes('"duel"')) sent.push(init)
      const answer = await fetch(`${worker.url}/interactions`, init)
      const type = answer.headers.get('content-type') ?? ''
      return new Response(await answer.text(), { status: answer.status, headers: { 'content-type': type } })
    }
    const listener = toNodeListener(forward)
    const line = await listen(createServer((incoming, outgoing) => void listener(incoming, outgoing)))
    await emulator.interactions.connect(`http://127.0.0.1:${line.port}`)
    const outcome = await emulator.interactions.use({ as: 'ada', command: 'duel' })
    expect(outcome).toMatchObject({ kind: 'deferred' })
    const later = () =>
      emulator.requests
        .filter(({ path }) => path.includes('/webhooks/'))
        .map(({ method, status }) => `${method} ${status}`)
    await expect.poll(later, SOON).toEqual(expect.arrayContaining(['POST 200', 'PATCH 200']))
    await recreate()
    const again = await fetch(`${worker.url}/interactions`, sent[0])
    expect([sent.length, again.status]).toEqual([1, 401])
    await line.close()
  })

  it('is a granted purchase, which stays when everything with an end is removed and the object was ended', async () => {
    const key = '1:purchase:kept'
    await run('purchases/claim', [key, 'ada', 1000])
    await run('purchases/settle', [key, 'ada', 'granted'])
    await run('pass', 400 * 24 * 3_600_000)
    await run('sweep')
    await recreate()
    expect(await run('purchases/get', [key])).toBe('granted')
  })

  it('ends with its time, and no alarm is left when nothing is', async () => {
    await run('others/put', ['1:ticket:brief', 'x', 1000])
    expect(await run('sweep')).toMatchObject({ alarm: true })
    await run('pass', 400 * 24 * 3_600_000)
    expect(await run('sweep')).toMatchObject({ entries: 0 })
  })

  it('is kept without the method `alarm` too, and the log says once what is missing', async () => {
    expect(await post('forgetful')).toEqual({ steps: ['durable_object.no_alarm'], taken: 'x' })
  })
})

/** A store of the object, called from here. */
function remote<Store>(path: string, methods: readonly (keyof Store & string)[]): Store {
  const call =
    (method: string) =>
    async (...args: unknown[]) =>
      run(`${path}/${method}`, args)
  return Object.fromEntries(methods.map((method) => [method, call(method)])) as Store
}

const time = { pass: (ms: number) => run('pass', ms), unit: 10_000 }
const SESSION_METHODS = ['get', 'set', 'delete', 'lock', 'renew', 'unlock'] as const

describe('its store of sessions', () => {
  testSessionStore({
    test: it,
    expect,
    open: () => remote<SessionStore>('sessions', SESSION_METHODS),
    ...time,
  })
})
describe('its store of tickets', () => {
  testTicketStore({ test: it, expect, open: () => remote<TicketStore>('others', ['put', 'take']), ...time })
})
describe('its store of purchases', () => {
  const PURCHASE_METHODS = ['get', 'claim', 'settle'] as const
  testPurchaseStore({
    test: it,
    expect,
    open: () => remote<PurchaseStore>('purchases', PURCHASE_METHODS),
    ...time,
  })
})
describe('its store of received requests', () => {
  testReplayStore({ test: it, expect, open: () => remote<ReplayStore>('others', ['seen']), ...time })
})

const BROKER_METHODS = [
  'publish',
  'nextVersion',
  'put',
  'take',
  'putNewest',
  'getAll',
  'increment',
  'addMember',
  'removeMember',
  'membersOf',
] as const

/** The broker of hubs in the object. A listener here takes its notes until it has unsubscribed. */
function remoteBroker(group: string): LobbyBroker {
  const path = `broker/${group}`
  const broker = remote<LobbyBroker>(path, BROKER_METHODS)
  const follow = async (listener: BrokerListener, isOver: () => boolean): Promise<void> => {
    const id: number = await run(`${path}/subscribe`, [])
    while (!isOver()) {
      const notes: string[] = await run(`${path}/heard`, [id])
      for (const note of notes) if (!isOver()) listener.note(note)
    }
    await run(`${path}/end`, [id])
  }
  return {
    ...broker,
    // JSON has null where nothing is.
    getAll: async (keys) => (await broker.getAll(keys)).map((text) => text ?? undefined),
    subscribe(listener) {
      let isOver = false
      void follow(listener, () => isOver)
      return () => void (isOver = true)
    },
  }
}

describe('its broker of the hubs in it', () => {
  testLobbyBroker({ test: it, expect, open: remoteBroker, ...time })
})
