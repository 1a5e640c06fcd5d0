/** Nothing is lost between "joined" and "listening": messages at the gaps of a stream, in a table of what may happen there. */
import { createEmulator, type Emulator, type FaultRule } from 'foyer-emulator'
import { type Client, type Lobby, type LobbyMessage, parseLobbyUpdate, type LobbyUpdate } from 'foyer-sdk'
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

/** Ada, whose stream the test is, and Bruno, who writes. */
class Match {
  readonly received: string[] = []
  readonly #listeners = new Set<(update: LobbyUpdate) => void>()
  #ada: Client | undefined
  #theirs: Lobby | undefined
  id = ''

  async open(): Promise<this> {
    const subscribe = (listener: (update: LobbyUpdate) => void) => {
      this.#listeners.add(listener)
      return () => void this.#listeners.delete(listener)
    }
    this.#ada = await game.player('ada', { lobbyUpdates: { subscribe } })
    this.#theirs = await (await game.player('bruno')).createOrJoinLobby('moon')
    this.id = this.#theirs.id
    this.ada.on('lobbyMessage', ({ message }) => this.received.push(message.content))
    return this
  }

  get ada(): Client {
    return this.#ada ?? expect.fail('not open')
  }

  async join(): Promise<Lobby> {
    const before = reads()
    const lobby = await this.ada.createOrJoinLobby('moon')
    await vi.waitUntil(() => reads() > before, PATIENCE)
    // Behind the answer to that read.
    await this.ada.fetchCurrentUser()
    return lobby
  }

  write = async (content: string): Promise<LobbyMessage> =>
    (this.#theirs ?? expect.fail('not open')).send(content)

  async writeAll(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      // The limits of Bruno's client allow so many.
      game.clock.advance(1000)
      await this.write(`${index}`)
    }
  }

  /** News of a stream about a message. Without an id, it has opened. */
  announce(messageId?: string): void {
    const body = { lobby_id: this.id, message_id: messageId ?? '1' }
    const update = parseLobbyUpdate('lobby.message_pending', body)
    if (update?.type !== 'messagePending') expect.fail('no update')
    const { lobbyId } = update
    this.tell(messageId === undefined ? { type: 'messagePending', lobbyId } : update)
  }

  tell(update: LobbyUpdate | undefined): void {
    if (update) for (const listener of this.#listeners) listener(update)
  }

  /** What Ada has received, once time has passed until there is as much as expected. */
  async receivedLike({ length }: readonly string[]): Promise<readonly string[]> {
    const isThere = () => (game.clock.advance(1000), this.received.length >= length)
    await vi.waitUntil(isThere, PATIENCE).catch(() => undefined)
    return this.received
  }
}

const reads = () =>
  emulator.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages')).length

const refuseReads = (effect: FaultRule['effect'], times: number) =>
  emulator.faults([{ match: { method: 'GET', path: '*/messages' }, effect, times }])

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

const REFUSALS: readonly [string, FaultRule['effect'], number][] = [
  ['500', { status: 500, body: {} }, 1],
  ['500 for six times', { status: 500, body: {} }, 6],
  ['503', { status: 503, body: {} }, 9],
  ['429', { status: 429, body: { message: 'x', retry_after: 5, global: false } }, 7],
  ['a page of a proxy', { status: 200, body: '<html>' }, 2],
  ['messages of another shape', { status: 200, body: [{ id: 7 }] }, 2],
  ['no answer', { drop: true }, 8],
]

describe.each(REFUSALS)('attack/432 a read of messages that is answered with %s', (_, effect, times) => {
  it('is repeated without further news', async () => {
    const match = await new Match().open()
    await match.join()
    refuseReads(effect, times)
    match.announce((await match.write('first')).id)
    expect(await match.receivedLike(['first'])).toEqual(['first'])
  })

  it('is repeated after a reconnect too', async () => {
    const match = await new Match().open()
    await match.join()
    await match.write('first')
    refuseReads(effect, times)
    match.announce()
    expect(await match.receivedLike(['first'])).toEqual(['first'])
  })

  it('delays the mark of a join, and what is announced then arrives', async () => {
    const match = await new Match().open()
    refuseReads(effect, times)
    await match.join()
    match.announce((await match.write('first')).id)
    expect(await match.receivedLike(['first'])).toEqual(['first'])
  })
})

/** Steps after the join, and the messages that Ada has received in the end. */
const GAPS: Readonly<Record<string, (match: Match) => Promise<readonly string[]>>> = {
  'sixty messages while the stream is down': async (match) => {
    await match.writeAll(60)
    match.announce()
    return numbers(60)
  },
  'two hundred messages while the stream is down': async (match) => {
    await match.writeAll(200)
    match.announce()
    return numbers(200)
  },
  'one message that is announced five times': async (match) => {
    const { id } = await match.write('one')
    for (let time = 0; time < 5; time++) match.announce(id)
    return ['one']
  },
  'announcements in the wrong order': async (match) => {
    const ids = [await match.write('a'), await match.write('b'), await match.write('c')]
    for (const { id } of ids.toReversed()) match.announce(id)
    return ['a', 'b', 'c']
  },
  'an announced message that does not exist': async (match) => {
    match.announce('18446744073709551615')
    match.announce('0')
    match.announce((await match.write('real')).id)
    return ['real']
  },
  'a message whose announcement is lost, before another one': async (match) => {
    await match.write('lost')
    match.announce((await match.write('next')).id)
    return ['lost', 'next']
  },
  'a message with content, and its announcement': async (match) => {
    const { id } = await match.write('both')
    const author = { id: '1', username: 'x' }
    match.tell(parseLobbyUpdate('lobby.message', { id, lobby_id: match.id, content: 'both', author }))
    match.announce(id)
    match.announce()
    return ['both']
  },
  'a clock that goes back an hour': async (match) => {
    refuseReads({ status: 500, body: {} }, 2)
    match.announce((await match.write('one')).id)
    game.clock.advance(-3_600_000)
    return ['one']
  },
  'a clock that goes on by a day': async (match) => {
    game.clock.advance(86_400_000)
    match.announce((await match.write('one')).id)
    return ['one']
  },
  'a second join with the same secret': async (match) => {
    await match.write('one')
    await match.ada.createOrJoinLobby('moon')
    match.announce()
    return ['one']
  },
  'an own message and its announcement': async (match) => {
    const own = await match.ada.lobbies.get(match.id)?.send('own')
    match.announce(own?.id)
    match.announce()
    return ['own']
  },
  'a removal, after which the player joins again': async (match) => {
    await match.ada.lobbies.get(match.id)?.leave()
    await match.write('of others')
    await match.join()
    match.announce((await match.write('back')).id)
    return ['back']
  },
  'an announcement for a lobby of others': async (match) => {
    const other = await (await game.player('chiyo')).createOrJoinLobby('sun')
    const { id } = await other.send('secret')
    match.tell(parseLobbyUpdate('lobby.message_pending', { lobby_id: other.id, message_id: id }))
    match.announce((await match.write('own')).id)
    return ['own']
  },
}

describe('a player in a lobby receives each message once and in order after', () => {
  it.each(Object.entries(GAPS))('%s', async (_, happens) => {
    const match = await new Match().open()
    await match.write('before the join')
    await match.join()
    const expected = await happens(match)
    expect(await match.receivedLike(expected)).toEqual(expected)
    // Nothing comes twice later.
    match.announce()
    await match.ada.fetchCurrentUser()
    expect(await match.receivedLike(expected)).toEqual(expected)
  })
})

/** Ends of a lobby while a read waits for its next attempt. */
const ENDS: Readonly<Record<string, (match: Match) => unknown>> = {
  'the player leaves': (match) => match.ada.lobbies.get(match.id)?.leave(),
  'the player signs out': (match) => match.ada.signOut(),
  'the client is closed': (match) => match.ada.close(),
  'the lobby is deleted': (match) => match.tell(parseLobbyUpdate('lobby.deleted', { id: match.id })),
}

describe('a read that waits for its next attempt ends when', () => {
  it.each(Object.entries(ENDS))('%s', async (_, end) => {
    const match = await new Match().open()
    await match.join()
    const before = reads()
    refuseReads({ status: 500, body: {} }, 1)
    match.announce((await match.write('late')).id)
    await expect.poll(reads, PATIENCE).toBe(before + 1)
    await expect.poll(() => emulator.faults(), PATIENCE).toEqual([])
    await end(match)
    for (let second = 0; second < 60; second++) game.clock.advance(1000)
    await (await game.player('chiyo')).fetchCurrentUser()
    expect([reads(), match.received]).toEqual([before + 1, []])
  })

  it('the service refuses the player', async () => {
    const match = await new Match().open()
    await match.join()
    const before = reads()
    refuseReads({ status: 403, body: { code: 50_001, message: 'Missing Access' } }, 9)
    match.announce((await match.write('late')).id)
    await expect.poll(reads, PATIENCE).toBe(before + 1)
    for (let second = 0; second < 60; second++) game.clock.advance(1000)
    await match.ada.fetchCurrentUser()
    expect(reads()).toBe(before + 1)
  })
})
