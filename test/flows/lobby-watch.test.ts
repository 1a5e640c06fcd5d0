/** Hearing of a lobby's messages by looking now and then, against the emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordEvents, LobbyGame } from '../support/lobby-game'

let emulator: Emulator
let game: LobbyGame

// A look that a test leaves under way must not be counted by the next one.
beforeEach(async () => {
  emulator = await createEmulator()
  game = new LobbyGame(emulator)
})
afterEach(async () => {
  game.close()
  await emulator.close()
})

const looks = () => emulator.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages')).length

/** Both players in one lobby, with one message that is history. */
async function setUp() {
  const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
  const { id } = await bruno.createOrJoinLobby('moon')
  await ada.createOrJoinLobby('moon')
  await bruno.sendLobbyMessage(id, 'history')
  const heard = recordEvents(ada, 'lobbyMessage')
  const told = () => heard.map(({ data }) => (data as { message: { content: string } }).message.content)
  return { ada, bruno, id, told }
}

describe('watchLobby', () => {
  it('tells each new message once, in the order in which they were written, and no history', async () => {
    const { ada, bruno, id, told } = await setUp()
    await ada.watchLobby(id)
    await bruno.sendLobbyMessage(id, 'one')
    await ada.sendLobbyMessage(id, 'two')
    await bruno.sendLobbyMessage(id, 'three')
    game.pass(5000)
    await expect.poll(told).toEqual(['two', 'one', 'three'])
    await bruno.sendLobbyMessage(id, 'four')
    await expect.poll(() => (game.pass(5000), told())).toEqual(['two', 'one', 'three', 'four'])
  })

  it('tells no history after a look that found nothing', async () => {
    const { ada, bruno, id, told } = await setUp()
    await ada.watchLobby(id)
    for (const seen of [2, 3]) {
      game.pass(5000)
      await expect.poll(looks).toBe(seen)
      // A call of its own: whatever came of the look has come when this one is answered.
      await ada.fetchCurrentUser()
    }
    await bruno.sendLobbyMessage(id, 'new')
    await expect.poll(() => (game.pass(5000), told())).toEqual(['new'])
  })

  it('tells all when more than fifty have come, and looks once for the few that a look brings', async () => {
    const { ada, bruno, id, told } = await setUp()
    await ada.watchLobby(id, { interval: 60_000 })
    const written = Array.from({ length: 55 }, (_, index) => String(index))
    for (const content of written) {
      await bruno.sendLobbyMessage(id, content)
      // Fifty calls go into a second.
      if (content === '30') game.pass(2000)
    }
    game.pass(60_000)
    await expect.poll(told).toEqual(written)
    expect(looks()).toBe(3)
    await ada.fetchCurrentUser()
    game.pass(60_000)
    await expect.poll(looks).toBe(4)
    await ada.fetchCurrentUser()
    await ada.fetchCurrentUser()
    expect(looks()).toBe(4)
  })

  it('looks as often as it is told, and ends with its undo', async () => {
    const { ada, id } = await setUp()
    const stop = await ada.watchLobby(id, { interval: 2000 })
    expect(looks()).toBe(1)
    game.pass(2000)
    await expect.poll(looks).toBe(2)
    stop()
    game.pass(10_000)
    expect(looks()).toBe(2)
  })

  it('looks no more often than once in a second, whatever it is told', async () => {
    const { ada, id } = await setUp()
    await ada.watchLobby(id, { interval: Number.NaN })
    game.pass(999)
    expect(looks()).toBe(1)
    game.pass(1)
    await expect.poll(looks).toBe(2)
  })

  it('ends with its signal, with the session, and with the client', async () => {
    const { ada, bruno, id } = await setUp()
    const controller = new AbortController()
    await ada.watchLobby(id, { signal: controller.signal })
    await bruno.watchLobby(id)
    controller.abort()
    await bruno.signOut()
    game.pass(10_000)
    expect(looks()).toBe(2)
    game.close()
    expect(game.clock.waiting).toBe(0)
  })

  it('goes on through a bad network', async () => {
    const { ada, bruno, id, told } = await setUp()
    await ada.watchLobby(id)
    const match = { method: 'GET', path: '*/messages' }
    emulator.faults([
      { match, times: 3, effect: { drop: true } },
      { match, times: 1, effect: { status: 423 } },
    ])
    await bruno.sendLobbyMessage(id, 'still here?')
    await expect.poll(() => (game.pass(5000), told())).toEqual(['still here?'])
  })

  it('ends when the service refuses the player', async () => {
    const { ada, id } = await setUp()
    await ada.watchLobby(id)
    await ada.leaveLobby(id)
    game.pass(5000)
    await expect.poll(looks).toBe(2)
    // A call of its own: whatever came of the look has come when this one is answered.
    await ada.fetchCurrentUser()
    game.pass(50_000)
    await ada.fetchCurrentUser()
    expect(looks()).toBe(2)
  })

  it('rejects for a lobby that is none', async () => {
    const ada = await game.player('ada')
    await expect(ada.watchLobby('42')).rejects.toMatchObject({ code: 'unknown_lobby' })
  })
})
