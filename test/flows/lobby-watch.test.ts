/** Lobby messages received by polling, against the emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordEvents, LobbyGame } from '../support/lobby-game'

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

const polls = () => emulator.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages')).length

/** Both players in one lobby, with one message in its history. */
async function setUp() {
  const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
  const { id } = await bruno.createOrJoinLobby('moon')
  await ada.createOrJoinLobby('moon')
  await bruno.sendLobbyMessage(id, 'history')
  const events = recordEvents(ada, 'lobbyMessage')
  const received = () => events.map(({ data }) => (data as { message: { content: string } }).message.content)
  return { ada, bruno, id, received }
}

describe('watchLobby', () => {
  it('emits each new message once, in the order of sending, and no history', async () => {
    const { ada, bruno, id, received } = await setUp()
    await ada.watchLobby(id)
    await bruno.sendLobbyMessage(id, 'one')
    await ada.sendLobbyMessage(id, 'two')
    await bruno.sendLobbyMessage(id, 'three')
    game.pass(5000)
    await expect.poll(received).toEqual(['two', 'one', 'three'])
    await bruno.sendLobbyMessage(id, 'four')
    await expect.poll(() => (game.pass(5000), received())).toEqual(['two', 'one', 'three', 'four'])
  })

  it('rejects with signed_out if the player signs out during its first poll', async () => {
    const { id } = await setUp()
    const poll = new EventTarget()
    const polling = new Promise((resolve) => poll.addEventListener('begun', resolve))
    const chiyo = await game.player('chiyo', {
      fetch: (url, init) => {
        if (!url.includes('/messages')) return fetch(url, init)
        poll.dispatchEvent(new Event('begun'))
        return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))))
      },
    })
    const watching = chiyo.watchLobby(id).catch((error: { code: string }) => error.code)
    await polling
    await chiyo.signOut()
    expect(await watching).toBe('signed_out')
  })

  it('emits no history after a poll without new messages', async () => {
    const { ada, bruno, id, received } = await setUp()
    await ada.watchLobby(id)
    for (const seen of [2, 3]) {
      game.pass(5000)
      await expect.poll(polls).toBe(seen)
      // A separate call: the poll has been processed when this one has a response.
      await ada.fetchCurrentUser()
    }
    await bruno.sendLobbyMessage(id, 'new')
    await expect.poll(() => (game.pass(5000), received())).toEqual(['new'])
  })

  it('emits all of more than fifty new messages, and polls once when one page is enough', async () => {
    const { ada, bruno, id, received } = await setUp()
    await ada.watchLobby(id, { interval: 60_000 })
    const written = Array.from({ length: 55 }, (_, index) => String(index))
    for (const content of written) {
      await bruno.sendLobbyMessage(id, content)
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
    const { ada, id } = await setUp()
    const stop = await ada.watchLobby(id, { interval: 2000 })
    expect(polls()).toBe(1)
    game.pass(2000)
    await expect.poll(polls).toBe(2)
    stop()
    game.pass(10_000)
    expect(polls()).toBe(2)
  })

  it('polls at most once per second, whatever the interval', async () => {
    const { ada, id } = await setUp()
    await ada.watchLobby(id, { interval: Number.NaN })
    game.pass(999)
    expect(polls()).toBe(1)
    game.pass(1)
    await expect.poll(polls).toBe(2)
  })

  it('stops with its signal, with the session, and with the client', async () => {
    const { ada, bruno, id } = await setUp()
    const controller = new AbortController()
    await ada.watchLobby(id, { signal: controller.signal })
    await bruno.watchLobby(id)
    controller.abort()
    await bruno.signOut()
    game.pass(10_000)
    expect(polls()).toBe(2)
    game.close()
    expect(game.clock.waiting).toBe(0)
  })

  it('continues through network failures', async () => {
    const { ada, bruno, id, received } = await setUp()
    await ada.watchLobby(id)
    const match = { method: 'GET', path: '*/messages' }
    emulator.faults([
      { match, times: 3, effect: { drop: true } },
      { match, times: 1, effect: { status: 423 } },
    ])
    await bruno.sendLobbyMessage(id, 'still here?')
    await expect.poll(() => (game.pass(5000), received())).toEqual(['still here?'])
  })

  it('stops when the service rejects the player', async () => {
    const { ada, id } = await setUp()
    await ada.watchLobby(id)
    await ada.leaveLobby(id)
    game.pass(5000)
    await expect.poll(polls).toBe(2)
    // A separate call: the poll has been processed when this one has a response.
    await ada.fetchCurrentUser()
    game.pass(50_000)
    await ada.fetchCurrentUser()
    expect(polls()).toBe(2)
  })

  it('rejects for an unknown lobby', async () => {
    const ada = await game.player('ada')
    await expect(ada.watchLobby('42')).rejects.toMatchObject({ code: 'unknown_lobby' })
  })
})
