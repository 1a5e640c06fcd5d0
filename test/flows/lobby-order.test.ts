/** Order of joins and leaves of one lobby by one client, regardless of what the game awaits. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client } from 'foyer-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LobbyGame } from '../support/lobby-game'
import { findPlayer } from '../support/find-player'

let emulator: Emulator
let game: LobbyGame
let ada: Client

beforeAll(async () => {
  emulator = await createEmulator()
})
beforeEach(async () => {
  emulator.reset()
  emulator.limits('production')
  game = new LobbyGame(emulator)
  ada = await game.player('ada')
})
afterEach(() => game.close())
afterAll(() => emulator.close())

const sent = () =>
  emulator.requests
    .filter(({ path, method }) => path.includes('/lobbies') && method !== 'GET')
    .map(({ method }) => method)
/** Yields until the game has run its reactions to a response. */
async function finish<T>(calls: Promise<T>): Promise<T> {
  const work = { isDone: false }
  void calls.catch(() => undefined).then(() => (work.isDone = true))
  await expect
    .poll(() => {
      game.clock.advance(20)
      return work.isDone
    })
    .toBe(true)
  return calls
}

/** The members of the lobby as another player sees them. */
const members = async () =>
  (await (await game.player('bruno')).createOrJoinLobby('moon')).members.map(({ id }) => id)
const idOfAda = () => findPlayer(emulator, 'ada').id

function mount() {
  const joining = ada.createOrJoinLobby('moon')
  return { joining, unmount: () => joining.then((lobby) => lobby.leave()) }
}

describe('a component that joins on mount and leaves on unmount', () => {
  it('is in the lobby after a double mount, as in React StrictMode', async () => {
    const first = mount()
    const left = first.unmount()
    const second = mount()
    await finish(Promise.all([left, second.joining]))
    expect(sent()).toEqual(['PUT', 'DELETE', 'PUT'])
    expect(await members()).toContain(idOfAda())
    expect(Array.from(ada.lobbies, ({ id }) => id)).toHaveLength(1)
  })

  it('is outside the lobby after its final unmount', async () => {
    const first = mount()
    const left = first.unmount()
    const second = mount()
    await finish(Promise.all([left, second.unmount()]))
    expect(await members()).not.toContain(idOfAda())
    expect(Array.from(ada.lobbies, ({ id }) => id)).toEqual([])
  })
})

describe('concurrent calls for one lobby', () => {
  it('run in call order when the lobby is cached', async () => {
    const lobby = await ada.createOrJoinLobby('moon')
    const [, again] = await finish(Promise.all([lobby.leave(), ada.createOrJoinLobby('moon')]))
    expect(await members()).toContain(idOfAda())
    await finish(Promise.all([again.leave(), ada.createOrJoinLobby('moon'), again.leave()]))
    expect(sent()).toEqual(['PUT', 'DELETE', 'PUT', 'PUT', 'DELETE', 'PUT', 'DELETE'])
    expect(await members()).not.toContain(idOfAda())
  })

  it('run in call order when one of them fails', async () => {
    const lobby = await ada.createOrJoinLobby('moon')
    emulator.faults({ match: { method: 'DELETE' }, effect: { status: 403 } })
    const leaving = lobby.leave().catch((error: { code: string }) => error.code)
    const joined = await ada.createOrJoinLobby('moon')
    expect(await leaving).not.toBeUndefined()
    expect(joined).toBe(lobby)
    expect(sent()).toEqual(['PUT', 'DELETE', 'PUT'])
  })

  it('send one request for equal joins', async () => {
    const lobbies = await finish(Promise.all(Array.from({ length: 20 }, () => ada.createOrJoinLobby('moon'))))
    expect(new Set(lobbies.map(({ id }) => id)).size).toBe(1)
    expect(sent()).toEqual(['PUT'])
  })

  it('send separate requests for joins with different data', async () => {
    const [, second] = await finish(
      Promise.all([
        ada.createOrJoinLobby('moon'),
        ada.createOrJoinLobby('moon', { member: { color: 'red' } }),
        ada.createOrJoinLobby('sun'),
      ]),
    )
    expect(second.members).toMatchObject([{ metadata: { color: 'red' } }])
    expect(sent()).toEqual(['PUT', 'PUT', 'PUT'])
  })

  it('send a new request for a join after the last response', async () => {
    await ada.createOrJoinLobby('moon')
    await ada.createOrJoinLobby('moon')
    expect(sent()).toEqual(['PUT', 'PUT'])
  })

  it('continue when a waiting call is cancelled', async () => {
    const lobby = await ada.createOrJoinLobby('moon')
    const cancel = new AbortController()
    const leaving = lobby.leave()
    const joining = ada
      .createOrJoinLobby('moon', { signal: cancel.signal })
      .catch((error: { code: string }) => error.code)
    const early = ada
      .createOrJoinLobby('moon', { signal: AbortSignal.abort() })
      .catch((error: { code: string }) => error.code)
    cancel.abort()
    expect(await finish(Promise.all([joining, early]))).toEqual(['aborted', 'aborted'])
    await leaving
    expect(sent()).toEqual(['PUT', 'DELETE'])
    expect((await ada.createOrJoinLobby('moon')).id).toEqual(expect.any(String))
  })
})
