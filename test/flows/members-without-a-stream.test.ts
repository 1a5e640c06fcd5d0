/** The members that a page knows without the lobby stream of a backend. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest'
import { LobbyGame } from '../support/lobby-game'

let emulator: Emulator
let game: LobbyGame
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
})
beforeEach(() => {
  emulator.reset()
  game = new LobbyGame(emulator)
})
afterEach(() => game.close())
afterAll(() => emulator.close())

describe('without a lobby stream', () => {
  it('members are those of the own join, and joining again reads them anew', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const lobby = await ada.createOrJoinLobby('moon')
    const added: string[] = []
    lobby.on('memberAdded', ({ member }) => added.push(member.id))
    const other = await bruno.createOrJoinLobby('moon')
    await other.send('Hello!')
    expect(await lobby.fetchMessages()).toHaveLength(1)
    expect(lobby.members).toHaveLength(1)
    expect(await ada.createOrJoinLobby('moon')).toBe(lobby)
    expect(lobby.members).toHaveLength(2)
    expect(added).toEqual([bruno.session?.userId])
  })

  it('a sign-out alone leaves no lobby', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const lobby = await ada.createOrJoinLobby('moon')
    await bruno.createOrJoinLobby('moon')
    await bruno.signOut()
    await ada.createOrJoinLobby('moon')
    expect(lobby.members).toHaveLength(2)
  })

  it('the sign-out of the manual leaves the lobbies first', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const lobby = await ada.createOrJoinLobby('moon')
    await bruno.createOrJoinLobby('moon')
    const leaving = [...bruno.lobbies].map((each) => each.leave({ signal: AbortSignal.timeout(2000) }))
    await Promise.allSettled(leaving)
    await bruno.signOut()
    await ada.createOrJoinLobby('moon')
    expect(lobby.members).toHaveLength(1)
  })
})
