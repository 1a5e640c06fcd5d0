/** Two players see each other's joins, leaves, metadata, names, presence and messages: with the emulator alone, and with a backend's hub. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { type Client, type Clock, lobbyStream } from 'foyer-sdk'
import {
  ApplicationClient,
  botToken,
  createLobbyHub,
  createPlayerVerifier,
  type LobbyHub,
  toNodeListener,
} from 'foyer-sdk/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'
import { LobbyGame, recordEvents } from '../support/lobby-game'
import { type Listening, listen } from '../support/loopback'
import { ManualClock } from '../support/manual-clock'

/** The machine's clock. */
const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  },
}
let emulator: Emulator
let game: LobbyGame
let backend: ApplicationClient
let hub: LobbyHub
let server: Listening

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())
beforeEach(async () => {
  emulator.reset()
  game = new LobbyGame(emulator)
  const application = { applicationId: emulator.application.id, service: { host: emulator.url } }
  backend = new ApplicationClient({ ...application, credentials: botToken(emulator.application.botToken) })
  hub = createLobbyHub({ client: backend, verify: createPlayerVerifier(application), awayAfter: 100 })
  server = await listen(serve(hub))
})
afterEach(async () => {
  game.close()
  hub.close()
  backend.close()
  await server.close()
})

const streams = {
  'the emulator alone': () => ({ lobbyUpdates: lobbyStream(`${emulator.url}/lobby-stream`) }),
  "a backend's hub": () => {
    const origin = `http://127.0.0.1:${server.port}`
    return { lobbyUpdates: lobbyStream(`${origin}/lobbies`), backendOrigins: [origin] }
  },
}

function serve(handler: LobbyHub) {
  const listener = toNodeListener(handler)
  return createServer((request, response) => void listener(request, response))
}

/** Signs in a player whose client uses the machine's clock. */
const play = (as: string, stream: () => object): Promise<Client> =>
  game.player(as, { ...stream(), clock: systemClock })
const idOf = (as: string) => findPlayer(emulator, as).id
const nextEvent = (client: Client, name: 'lobbyUpdated' | 'lobbyMessage') =>
  new Promise((resolve) => {
    const off = client.on(name, (event: unknown) => {
      off()
      resolve(event)
    })
  })
const membersOf = (client: Client, id: string) => client.lobbies.get(id)?.members.map((member) => member.id)

const messageOf = (content: string) => ({ message: expect.objectContaining({ content }) })

describe.each(Object.entries(streams))('with %s', (_, stream) => {
  it('each sees the other come, change, go away and leave', async () => {
    const [ada, bruno] = [await play('ada', stream), await play('bruno', stream)]
    const { id } = await ada.createOrJoinLobby('moon')
    await expect
      .poll(() => ada.lobbies.get(id)?.members[0])
      .toMatchObject({ username: 'ada', presence: 'online' })
    await bruno.createOrJoinLobby('moon')
    await expect.poll(() => membersOf(ada, id)).toEqual([idOf('ada'), idOf('bruno')])
    await expect
      .poll(() => ada.lobbies.get(id)?.members[1])
      .toMatchObject({ username: 'bruno', globalName: 'Bruno', presence: 'online' })
    await bruno.createOrJoinLobby('moon', { member: { role: 'healer' }, metadata: { map: 'moor' } })
    await expect
      .poll(() => ada.lobbies.get(id))
      .toMatchObject({ metadata: { map: 'moor' }, members: [{}, { metadata: { role: 'healer' } }] })
    bruno.close()
    await expect.poll(() => ada.lobbies.get(id)?.members[1]?.presence).toBe('away')
    const again = await play('bruno', stream)
    const lobby = await again.createOrJoinLobby('moon')
    await expect.poll(() => ada.lobbies.get(id)?.members[1]?.presence).toBe('online')
    await lobby.leave()
    await expect.poll(() => membersOf(ada, id)).toEqual([idOf('ada')])
  })

  it('each reads what the other writes, once', async () => {
    const [ada, bruno] = [await play('ada', stream), await play('bruno', stream)]
    const { id } = await ada.createOrJoinLobby('moon')
    const lobby = await bruno.createOrJoinLobby('moon')
    await expect.poll(() => ada.lobbies.get(id)?.members[1]?.presence).toBe('online')
    const received = recordEvents(ada, 'lobbyMessage')
    const texts = Array.from({ length: 5 }, (_value, index) => `message ${index}`)
    for (const text of texts) await lobby.send(text)
    await expect.poll(() => received.length).toBe(5)
    expect(received.map(({ data }) => data)).toEqual(
      texts.map((content) => ({ message: expect.objectContaining({ content }) })),
    )
  })

  it('each change and each message arrives', async () => {
    emulator.limits('off')
    const [ada, bruno] = [await play('ada', stream), await play('bruno', stream)]
    const { id } = await ada.createOrJoinLobby('moon')
    const lobby = await bruno.createOrJoinLobby('moon')
    await expect.poll(() => ada.lobbies.get(id)?.members[1]?.presence).toBe('online')
    for (const text of ['1', '2', '3', '4', '5', '6', '7']) {
      const changed = nextEvent(ada, 'lobbyUpdated')
      await bruno.createOrJoinLobby('moon', { member: { text } })
      expect(await changed).toMatchObject({ lobby: { id } })
      const received = nextEvent(ada, 'lobbyMessage')
      await lobby.send(text)
      expect(await received).toMatchObject({ message: { content: text } })
    }
  })

  it('a message of the time before the first opening arrives once, and so does the first one of a gap', async () => {
    const [clock, line] = [new ManualClock(Date.now()), streamLine()]
    const ada = await game.player('ada', { ...stream(), clock, fetch: (url, init) => line.fetch(url, init) })
    const bruno = await play('bruno', stream)
    const received = recordEvents(ada, 'lobbyMessage')
    const texts = () => received.map(({ data }) => data)
    const reconnected = async () => {
      line.isDown = false
      clock.advance(30_000)
      await expect.poll(() => line.opened).toBeGreaterThan(0)
    }
    line.isDown = true
    await ada.createOrJoinLobby('moon')
    const lobby = await bruno.createOrJoinLobby('moon')
    await expect.poll(() => line.read).toBeGreaterThan(0)
    await lobby.send('before the first opening')
    await reconnected()
    await expect.poll(texts).toEqual([messageOf('before the first opening')])
    line.cut()
    line.isDown = true
    await lobby.send('in a gap')
    await reconnected()
    await expect.poll(texts).toEqual([messageOf('before the first opening'), messageOf('in a gap')])
  })

  it('the first message of a match arrives, if the stream was down when it was sent', async () => {
    const [clock, line] = [new ManualClock(Date.now()), streamLine()]
    const ada = await game.player('ada', { ...stream(), clock, fetch: (url, init) => line.fetch(url, init) })
    const bruno = await play('bruno', stream)
    await (await ada.createOrJoinLobby('moon')).send('older')
    await ada.lobbies.get((await bruno.createOrJoinLobby('moon')).id)?.leave()
    const received = recordEvents(ada, 'lobbyMessage')
    await ada.createOrJoinLobby('moon')
    await expect.poll(() => line.opened).toBeGreaterThan(0)
    await expect.poll(() => line.read).toBeGreaterThan(0)
    line.cut()
    line.isDown = true
    await (await bruno.createOrJoinLobby('moon')).send('first')
    line.isDown = false
    clock.advance(30_000)
    await expect.poll(() => received.length).toBe(1)
    expect(received).toMatchObject([{ data: { message: { content: 'first' } } }])
  })
})

/** The connection of one player. Streams can be down; other requests pass. */
function streamLine() {
  const line = {
    isDown: false,
    /** Number of streams that are open. */
    opened: 0,
    /** Number of answered reads of messages. */
    read: 0,
    cut: () => undefined as void,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const isStream = new Headers(init.headers).get('accept') === 'text/event-stream'
      if (!isStream) {
        const response = await fetch(url, init)
        if (init.method === 'GET' && url.includes('/messages')) line.read += 1
        return response
      }
      if (line.isDown) throw new TypeError('the network is down')
      const cut = new AbortController()
      init.signal?.addEventListener('abort', () => cut.abort())
      const response = await fetch(url, { ...init, signal: cut.signal })
      line.opened += 1
      line.cut = () => {
        line.opened -= 1
        cut.abort()
      }
      return response
    },
  }
  return line
}

describe('a hub', () => {
  it("shows changes by the backend's own client, and the end of a lobby", async () => {
    const ada = await play('ada', streams["a backend's hub"])
    await ada.createOrJoinLobby('moon')
    const lobby = await backend.lobbies.create({
      members: [{ id: idOf('ada') }],
      metadata: { mode: 'ranked' },
    })
    await expect.poll(() => ada.lobbies.get(lobby.id)?.metadata).toEqual({ mode: 'ranked' })
    await backend.lobbies.updateMetadata(lobby.id, () => ({ mode: 'casual' }))
    await expect.poll(() => ada.lobbies.get(lobby.id)?.metadata).toEqual({ mode: 'casual' })
    await backend.lobbies.removeMember(lobby.id, idOf('ada'))
    await expect.poll(() => ada.lobbies.get(lobby.id)).toBe(undefined)
    await backend.lobbies.putMember(lobby.id, { id: idOf('ada') })
    await expect.poll(() => membersOf(ada, lobby.id)).toEqual([idOf('ada')])
    await backend.lobbies.delete(lobby.id)
    await expect.poll(() => ada.lobbies.get(lobby.id)).toBe(undefined)
  })

  it('gives the lobbies back to a page that was reloaded, and removes players who stay away if the game wants it', async () => {
    hub.close()
    const application = { applicationId: emulator.application.id, service: { host: emulator.url } }
    hub = createLobbyHub({
      client: backend,
      verify: createPlayerVerifier(application),
      awayAfter: 100,
      removeAfter: 100,
    })
    const other = await listen(serve(hub))
    const origin = `http://127.0.0.1:${other.port}`
    const stream = () => ({ lobbyUpdates: lobbyStream(`${origin}/lobbies`), backendOrigins: [origin] })
    const [ada, bruno] = [await play('ada', stream), await play('bruno', stream)]
    const { id } = await ada.createOrJoinLobby('moon')
    await bruno.createOrJoinLobby('moon')
    await expect.poll(() => membersOf(ada, id)).toHaveLength(2)
    const second = await play('ada', stream)
    await second.createOrJoinLobby('another')
    await expect.poll(() => membersOf(second, id)).toHaveLength(2)
    await expect
      .poll(() => ada.lobbies.get(id)?.members.map(({ presence }) => presence))
      .toEqual(['online', 'online'])
    bruno.close()
    await expect.poll(() => membersOf(ada, id)).toEqual([idOf('ada')])
    await other.close()
  })
})
