/** Nothing is lost between "joined" and "listening" for a game that polls: what may happen before, during and between polls, in a table. */
import { createEmulator, type Emulator, type FaultRule } from 'foyer-emulator'
import { type Client, type Lobby, parseLobbyUpdate, type LobbyUpdate } from 'foyer-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { LobbyGame } from '../support/lobby-game'

const PATIENCE = { timeout: 10_000 }
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

interface Match {
  readonly ada: Client
  readonly lobby: Lobby
  readonly theirs: Lobby
  /** Texts that Ada has received. */
  readonly received: string[]
  readonly tell: (update: LobbyUpdate | undefined) => void
}

/** Ada, who polls, and Bruno, who writes. Ada has a stream too, which tells only what the test says. */
async function open(): Promise<Match> {
  let listener: ((update: LobbyUpdate) => void) | undefined
  const subscribe = (given: (update: LobbyUpdate) => void) => {
    listener = given
    return () => undefined
  }
  const ada = await game.player('ada', { lobbyUpdates: { subscribe } })
  const theirs = await (await game.player('bruno')).createOrJoinLobby('moon')
  await theirs.send('before the join')
  const lobby = await ada.createOrJoinLobby('moon')
  // Behind the answer to the read of the join.
  await vi.waitUntil(() => reads() > 0, PATIENCE)
  await ada.fetchCurrentUser()
  const received: string[] = []
  ada.on('lobbyMessage', ({ message }) => received.push(message.content))
  return { ada, lobby, theirs, received, tell: (update) => update && listener?.(update) }
}

const reads = () =>
  emulator.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages')).length
const refuse = (effect: FaultRule['effect'], times: number) =>
  emulator.faults([{ match: { method: 'GET', path: '*/messages' }, effect, times }])

async function writeAll(lobby: Lobby, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, index) => `${index}`)
  for (const text of texts) {
    // The limits of Bruno's client allow so many.
    game.clock.advance(1000)
    await lobby.send(text)
  }
  return texts
}

/** The first poll has ended, and then this happens. Returns what Ada receives. */
const AFTERWARDS: Readonly<Record<string, (match: Match) => Promise<readonly string[]>>> = {
  'one message': async ({ theirs }) => [(await theirs.send('one')).content],
  'fifty-one messages between two polls': async ({ theirs }) => writeAll(theirs, 51),
  'polls that fail with 500': async ({ theirs }) => {
    refuse({ status: 500, body: {} }, 5)
    return [(await theirs.send('one')).content]
  },
  'polls that are refused with 429': async ({ theirs }) => {
    refuse({ status: 429, body: { message: 'x', retry_after: 3, global: false } }, 4)
    return [(await theirs.send('one')).content]
  },
  'polls without an answer': async ({ theirs }) => {
    refuse({ drop: true }, 6)
    return [(await theirs.send('one')).content]
  },
  'a poll that a proxy answers': async ({ theirs }) => {
    refuse({ status: 200, body: '<html>' }, 2)
    return [(await theirs.send('one')).content]
  },
  'a poll of another shape': async ({ theirs }) => {
    refuse({ status: 200, body: [{ id: 7 }] }, 2)
    return [(await theirs.send('one')).content]
  },
  'an empty list, once': async ({ theirs }) => {
    const { content } = await theirs.send('one')
    refuse({ status: 200, body: [] }, 1)
    return [content]
  },
  'a second watch of the same lobby': async ({ lobby, theirs }) => {
    await lobby.watch({ interval: 1000 })
    return [(await theirs.send('one')).content]
  },
  'a join with the same secret': async ({ ada, theirs }) => {
    const { content } = await theirs.send('one')
    await ada.createOrJoinLobby('moon')
    return [content]
  },
  'the announcement of a stream': async ({ theirs, tell, lobby }) => {
    const { id, content } = await theirs.send('one')
    tell(parseLobbyUpdate('lobby.message_pending', { lobby_id: lobby.id, message_id: id }))
    return [content]
  },
  'an own message': async ({ lobby }) => [(await lobby.send('own')).content],
  'own and other messages': async ({ lobby, theirs }) => {
    await theirs.send('a')
    await lobby.send('b')
    await theirs.send('c')
    // The own one is there at once.
    return ['b', 'a', 'c']
  },
  'a clock that goes on by a day': async ({ theirs }) => {
    game.clock.advance(86_400_000)
    return [(await theirs.send('one')).content]
  },
  'another watch that ends': async ({ lobby, theirs }) => {
    const stop = await lobby.watch()
    stop()
    return [(await theirs.send('one')).content]
  },
  'the profile of the player': async ({ ada, theirs }) => {
    await ada.fetchCurrentUser()
    return [(await theirs.send('one')).content]
  },
}

/** Steps while the first poll is on its way, or before it. */
const BEFORE: Readonly<Record<string, (match: Match) => Promise<unknown>>> = {
  nothing: async () => undefined,
  'a message that the stream announces': async ({ theirs, tell, lobby }) => {
    const { id } = await theirs.send('early')
    tell(parseLobbyUpdate('lobby.message_pending', { lobby_id: lobby.id, message_id: id }))
  },
  'a stream that opens': async ({ theirs, tell, lobby }) => {
    await theirs.send('early')
    const pending = parseLobbyUpdate('lobby.message_pending', { lobby_id: lobby.id, message_id: '1' })
    if (pending?.type === 'messagePending') tell({ type: pending.type, lobbyId: pending.lobbyId })
  },
  'a first poll that fails once': async () => refuse({ status: 503, body: {} }, 1),
}

const inTime = async (received: readonly string[], { length }: readonly string[]) => {
  const isThere = () => (game.clock.advance(1000), received.length >= length)
  await vi.waitUntil(isThere, PATIENCE).catch(() => undefined)
  return received
}

describe('a game that polls receives each message once and in order after', () => {
  it.each(Object.entries(AFTERWARDS))('%s', async (_, happens) => {
    const match = await open()
    await match.lobby.watch({ interval: 1000 })
    const expected = await happens(match)
    expect(await inTime(match.received, expected)).toEqual(expected)
    // Nothing comes twice later.
    await match.theirs.send('last')
    expect(await inTime(match.received, [...expected, 'last'])).toEqual([...expected, 'last'])
  })
})

describe('a game that begins to poll after', () => {
  it.each(Object.entries(BEFORE))(
    '%s receives what follows, and what a stream tells',
    async (name, happens) => {
      const match = await open()
      await happens(match)
      const early = name.includes('stream') ? ['early'] : []
      expect(await inTime(match.received, early)).toEqual(early)
      const watching = match.lobby.watch({ interval: 1000 })
      await vi.waitUntil(async () => {
        game.clock.advance(500)
        return Promise.race([watching.then(() => true), match.ada.fetchCurrentUser().then(() => false)])
      }, PATIENCE)
      await match.theirs.send('later')
      expect(await inTime(match.received, [...early, 'later'])).toEqual([...early, 'later'])
    },
  )
})
