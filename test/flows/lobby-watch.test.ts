/** Lobby messages received by polling, against the emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client, Lobby, LogEntry } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimLobby, recordEvents, LobbyGame } from '../support/lobby-game'

let emulator: Emulator
let game: LobbyGame

// A poll that a test leaves pending must not be counted by the next test.
beforeEach(async () => {
  emulator = await createEmulator()
  game = new LobbyGame(emulator)
})
afterEach(async () => {
  game.close()
  await emulator.close()
})

const polls = () =>
  emulator.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages')).length

/** Both players in one lobby, with one message in its history: `lobby` is Ada's, `theirs` Bruno's. */
async function setUp() {
  const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
  const theirs = await bruno.createOrJoinLobby('moon')
  const lobby = await ada.createOrJoinLobby('moon')
  await theirs.send('history')
  const events = recordEvents(ada, 'lobbyMessage')
  const received = () => events.map(({ data }) => (data as { message: { content: string } }).message.content)
  return { ada, bruno, lobby, theirs, received }
}

describe('a listener for messages', () => {
  it.each<[how: string, act: (client: Client) => Promise<unknown>, warnings: number]>([
    ['of a lobby that nothing watches is named once', async (client) => hear(await join(client)), 1],
    ['twice in one lobby is named once', async (client) => hear(hear(await join(client))), 1],
    ['that came after watch is not named', async (client) => watched(await join(client)).then(hear), 0],
    ['that came before watch is not named', async (client) => watched(hear(await join(client))), 0],
    ['of a lobby that was left is not named', async (client) => hear(await join(client)).leave(), 0],
  ])('%s', async (_, act, warnings) => {
    const steps: LogEntry[] = []
    const client = await game.player('ada', { logger: (entry) => steps.push(entry) })
    await act(client)
    game.pass(5000)
    game.pass(5000)
    const named = steps.filter(({ step }) => step === 'lobby.unwatched')
    expect(named.map(({ level, data }) => [level, data['remedy']])).toEqual(
      Array.from({ length: warnings }, () => ['warn', expect.stringContaining('call lobby.watch()')]),
    )
  })

  it('of a client with a stream is not named', async () => {
    const steps: string[] = []
    const client = await game.player('ada', {
      logger: ({ step }) => steps.push(step),
      lobbyUpdates: { subscribe: () => () => undefined },
    })
    hear(await join(client))
    game.pass(5000)
    expect(steps).not.toContain('lobby.unwatched')
  })
})

const join = (client: Client) => client.createOrJoinLobby('moon')
const watched = async (lobby: Lobby) => (await lobby.watch(), lobby)
function hear(lobby: Lobby): Lobby {
  lobby.on('message', () => undefined)
  return lobby
}

describe('lobby.watch', () => {
  it('emits each new message once, in the order of sending, and no history', async () => {
    const { lobby, theirs, received } = await setUp()
    await lobby.watch()
    await theirs.send('one')
    await lobby.send('two')
    await theirs.send('three')
    game.pass(5000)
    await expect.poll(received).toEqual(['two', 'one', 'three'])
    await theirs.send('four')
    await expect.poll(() => (game.pass(5000), received())).toEqual(['two', 'one', 'three', 'four'])
  })

  it('rejects with signed_out if the player signs out during its first poll', async () => {
    await setUp()
    const poll = new EventTarget()
    const polling = new Promise((resolve) => poll.addEventListener('begun', resolve))
    const chiyo = await game.player('chiyo', {
      fetch: (url, init) => {
        if (!url.includes('/messages')) return fetch(url, init)
        poll.dispatchEvent(new Event('begun'))
        return new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
        )
      },
    })
    const lobby = await chiyo.createOrJoinLobby('moon')
    const watching = lobby.watch().catch((error: { code: string }) => error.code)
    await polling
    await chiyo.signOut()
    expect(await watching).toBe('signed_out')
  })

  it('emits no history after a poll without new messages', async () => {
    const { ada, lobby, theirs, received } = await setUp()
    await lobby.watch()
    for (const seen of [2, 3]) {
      game.pass(5000)
      await expect.poll(polls).toBe(seen)
      // A separate call: the poll has been processed when this one has a response.
      await ada.fetchCurrentUser()
    }
    await theirs.send('new')
    await expect.poll(() => (game.pass(5000), received())).toEqual(['new'])
  })

  it('emits all of more than fifty new messages, and polls once when one page is enough', async () => {
    const { ada, lobby, theirs, received } = await setUp()
    await lobby.watch({ interval: 60_000 })
    const written = Array.from({ length: 55 }, (_, index) => String(index))
    for (const content of written) {
      await theirs.send(content)
      // The global limit allows fifty calls per second.
      if (content === '30') game.pass(2000)
    }
    game.pass(60_000)
    await expect.poll(received).toEqual(written)
    expect(polls()).toBe(3)
    await ada.fetchCurrentUser()
    game.pass(60_000)
    await expect.poll(polls).toBe(4)
    await ada.fetchCurrentUser()
    await ada.fetchCurrentUser()
    expect(polls()).toBe(4)
  })

  it('polls at the given interval and stops when its stop function is called', async () => {
    const { lobby } = await setUp()
    const stop = await lobby.watch({ interval: 2000 })
    expect(polls()).toBe(1)
    game.pass(2000)
    await expect.poll(polls).toBe(2)
    stop()
    game.pass(10_000)
    expect(polls()).toBe(2)
  })

  it('polls at most once per second, whatever the interval', async () => {
    const { lobby } = await setUp()
    await lobby.watch({ interval: 100 })
    game.pass(999)
    expect(polls()).toBe(1)
    game.pass(1)
    await expect.poll(polls).toBe(2)
  })

  it('refuses an interval in seconds, and one that is no time', async () => {
    const { lobby } = await setUp()
    await expect(lobby.watch({ interval: 5 })).rejects.toThrow('interval: ms. For 5 seconds pass 5000')
    for (const interval of [Number.NaN, 0, -1])
      await expect(lobby.watch({ interval })).rejects.toThrow('interval: ms. Pass a number, for example 5000')
  })

  it('stops with its signal, with the session, and with the client', async () => {
    const { bruno, lobby, theirs } = await setUp()
    const controller = new AbortController()
    await lobby.watch({ signal: controller.signal })
    await theirs.watch()
    controller.abort()
    await bruno.signOut()
    game.pass(10_000)
    expect(polls()).toBe(2)
    game.close()
    expect(game.clock.waiting).toBe(0)
  })

  it('continues through network failures', async () => {
    const { lobby, theirs, received } = await setUp()
    await lobby.watch()
    const match = { method: 'GET', path: '*/messages' }
    emulator.faults([
      { match, times: 3, effect: { drop: true } },
      { match, times: 1, effect: { status: 423 } },
    ])
    await theirs.send('still here?')
    await expect.poll(() => (game.pass(5000), received())).toEqual(['still here?'])
  })

  it('stops when the service rejects the player', async () => {
    const { ada, lobby } = await setUp()
    await lobby.watch()
    await game.backend('DELETE', `/${lobby.id}/members/${ada.session?.userId}`)
    game.pass(5000)
    await expect.poll(polls).toBe(2)
    // A separate call: the poll has been processed when this one has a response.
    await ada.fetchCurrentUser()
    game.pass(50_000)
    await ada.fetchCurrentUser()
    expect(polls()).toBe(2)
  })

  it('stops when the player leaves the lobby', async () => {
    const { ada, lobby } = await setUp()
    await lobby.watch()
    await lobby.leave()
    game.pass(50_000)
    await ada.fetchCurrentUser()
    expect([polls(), lobby.endReason]).toEqual([1, 'left'])
    await expect(lobby.watch()).rejects.toMatchObject({ code: 'unknown_lobby', status: 0 })
  })

  it('rejects for an unknown lobby', async () => {
    const lobby = await claimLobby(await game.player('ada'), '42')
    await expect(lobby.watch()).rejects.toMatchObject({ code: 'unknown_lobby' })
  })
})
