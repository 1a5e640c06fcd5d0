/** attack/170 attack/171, and delivery after a silent leave: what one player, or many accounts, can take from all others at a lobby hub. */
import { ApiError, type LobbyHub, memoryLobbyBroker } from 'foyer-sdk/server'
import { afterEach, expect, it } from 'vitest'
import { HubWorld, settled, type WorldPlayer } from '../support/hub-world'

const LOBBY = '901'
const URL_OF_HUB = 'https://game.test/lobbies'
let world: HubWorld

function open(processes: number): void {
  world = new HubWorld(1, processes)
  world.isFaulty = false
}
afterEach(() => world.close())

const hubAt = (index: number): LobbyHub => world.hubs[index % world.hubs.length] ?? expect.fail('no hub')
const post = (player: string, report: object, process: number) =>
  hubAt(process)(
    new Request(URL_OF_HUB, {
      method: 'POST',
      headers: { authorization: `Bearer ${player}` },
      body: JSON.stringify(report),
    }),
  )

const messageOf = (content: string) => ({
  id: '7000',
  lobby_id: LOBBY,
  content,
  author: { id: '1000', username: 'ada' },
})

/** Connects members of a lobby. */
async function members(count: number, process?: number): Promise<WorldPlayer[]> {
  const players = Array.from({ length: count }, (_, index) => world.player(String(1000 + index), process))
  for (const player of players) player.join(LOBBY)
  await world.pass(3000)
  return players
}

it.each([
  { processes: 1, announcers: 1 },
  { processes: 1, announcers: 5 },
  { processes: 3, announcers: 5 },
])(
  'messages that do not exist, announced by $announcers members at $processes processes, cause at most 25 reads a second',
  async (given) => {
    open(given.processes)
    const players = await members(25)
    /** Announcements that reach a client together cause one read. */
    let reads = 0
    const readsAfter = async (ms: number): Promise<number> => {
      await world.pass(ms)
      reads = players.reduce((sum, { pendingBatches }) => sum + pendingBatches, 0)
      return reads
    }
    for (let message = 0; message < 49; message++)
      for (let announcer = 0; announcer < given.announcers; announcer++)
        await post(
          String(1000 + announcer),
          { type: 'message', lobby_id: LOBBY, message_id: String(7000 + message * 10 + announcer) },
          message,
        )
    expect(await readsAfter(1000)).toBeLessThanOrEqual(75)
    expect(await readsAfter(9000)).toBeLessThanOrEqual(300)
  },
)

it.each<[string, number, (message: number) => [player: number, lobby: string, message: number]]>([
  ['with one id, by everybody', 1, (message) => [message % 25, LOBBY, 7000]],
  ['with falling ids', 1, (message) => [message % 5, LOBBY, 9000 - message]],
  [
    'in three lobbies with the same members',
    3,
    (message) => [message % 5, String(901 + (message % 3)), 7000 + message],
  ],
  ['by players who are not members', 0, (message) => [100 + (message % 25), LOBBY, 7000 + message]],
])(
  'messages that do not exist, announced %s, cause at most 25 reads a second in a lobby',
  async (_, lobbies, announce) => {
    open(1)
    const players = await members(25)
    for (const player of players)
      for (let lobby = 1; lobby < lobbies; lobby++) player.join(String(901 + lobby))
    await world.pass(3000)
    for (let message = 0; message < 200; message++) {
      const [player, lobby, id] = announce(message)
      await post(String(1000 + player), { type: 'message', lobby_id: lobby, message_id: String(id) }, 0)
    }
    await world.pass(1000)
    const reads = players.reduce((sum, { pendingBatches }) => sum + pendingBatches, 0)
    expect(reads).toBeLessThanOrEqual(75 * lobbies)
  },
)

it.each([{ processes: 1 }, { processes: 3 }])(
  'attack/249 in a lobby of 26, five invented messages a second of one member cause 26 reads each five seconds at $processes processes',
  async ({ processes }) => {
    open(processes)
    const players = await members(26)
    const times: number[] = []
    const reads = () => players.reduce((sum, { pendingBatches }) => sum + pendingBatches, 0)
    let known = reads()
    for (let message = 0; message < 50; message++) {
      await post('1000', { type: 'message', lobby_id: LOBBY, message_id: String(7000 + message) }, message)
      await world.pass(200)
      times.push(reads() - known)
      known = reads()
    }
    const inASecond = times.map((_, from) => times.slice(from, from + 5).reduce((sum, each) => sum + each, 0))
    // Half of what the service allows in a second, so that nobody else is refused.
    expect(Math.max(...inASecond)).toBeLessThanOrEqual(26)
    expect(reads()).toBeLessThanOrEqual(26 * 4)
    expect(reads()).toBeGreaterThan(0)
  },
)

it('messages that wait for their turn are announced together, and none is lost', async () => {
  open(1)
  const players = await members(26)
  for (let message = 0; message < 20; message++)
    await post('1000', { type: 'message', lobby_id: LOBBY, message_id: String(7000 + message) }, 0)
  await world.pass(11_000)
  const announced = new Set(players[1]?.pending.flatMap(({ messageId }) => messageId ?? []))
  expect([...announced].toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 20 }, (_, message) => String(7000 + message)),
  )
})

it('in a lobby of two, each of fifty messages in a second is announced at once', async () => {
  open(1)
  const [, ben] = await members(2)
  for (let message = 0; message < 25; message++) {
    await post('1000', { type: 'message', lobby_id: LOBBY, message_id: String(7000 + message) }, 0)
    await settled()
    expect(ben?.pending.at(-1)?.messageId).toBe(String(7000 + message))
  }
})

it.each([
  { accounts: 30, processes: 1 },
  { accounts: 100, processes: 1 },
  { accounts: 30, processes: 4 },
])(
  'lobbies that $accounts accounts invent at $processes processes cost a small share of the reads',
  async ({ accounts, processes }) => {
    open(processes)
    const invent = async (from: number) => {
      for (let account = 0; account < accounts; account++)
        for (let lobby = 0; lobby < 10; lobby++)
          await post(
            String(5000 + account),
            { type: 'changed', lobby_id: String(from + account * 100 + lobby) },
            account + lobby,
          )
    }
    await invent(100_000)
    await world.pass(10_000)
    const before = world.reads
    // Two free ones of each account in each process, and a share of five a second.
    expect(before).toBeLessThanOrEqual(accounts * 2 * processes + 60)
    await invent(900_000)
    await world.pass(10_000)
    expect(world.reads - before).toBeLessThanOrEqual(60)
    const [ada] = [world.player('11', 0)]
    ada.join(LOBBY)
    await world.pass(500)
    expect(ada.seen.at(-1)?.lobby.id).toBe(LOBBY)
    world.join('12', LOBBY)
    await post('12', { type: 'changed', lobby_id: LOBBY }, 0)
    await world.pass(500)
    expect(ada.view()).toEqual(world.truth('11'))
  },
)

const get = (player: string, lobbies: string[]) =>
  hubAt(0)(
    new Request(`${URL_OF_HUB}?lobbies=${lobbies.join(',')}`, {
      headers: { authorization: `Bearer ${player}` },
    }),
  )

it.each<[string, (account: string, lobbies: string[]) => Promise<unknown>]>([
  [
    'messages in them',
    async (account, lobbies) => {
      for (const id of lobbies) await post(account, { type: 'message', lobby_id: id, message_id: '7000' }, 0)
    },
  ],
  ['them when they connect', async (account, lobbies) => (await get(account, lobbies)).body?.cancel()],
  [
    'them after a true change',
    async (account, lobbies) => {
      world.join(account, `8${account}`)
      for (const id of [`8${account}`, ...lobbies]) await post(account, { type: 'changed', lobby_id: id }, 0)
    },
  ],
])('lobbies that 30 accounts invent, who report %s, cost a small share of the reads', async (_, invent) => {
  open(1)
  const [ada] = await members(1, 0)
  const before = world.reads
  for (let account = 0; account < 30; account++) {
    const lobbies = Array.from({ length: 10 }, (_id, index) => String(100_000 + account * 100 + index))
    await invent(String(5000 + account), lobbies)
  }
  await world.pass(10_000)
  // Two free ones of each account, its own lobby, two more for the true change, and a share of five a second.
  expect(world.reads - before).toBeLessThanOrEqual(30 * 5 + 60)
  world.join('12', LOBBY)
  await post('12', { type: 'changed', lobby_id: LOBBY }, 0)
  await world.pass(500)
  expect(ada?.view()).toEqual(world.truth('1000'))
})

it('a member who reports changes that did not happen causes few reads, and the real changes of others are shown at once', async () => {
  open(1)
  const [ada] = await members(2, 0)
  const before = world.reads
  for (let second = 0; second < 60; second++) {
    for (let report = 0; report < 2; report++) await post('1001', { type: 'changed', lobby_id: LOBBY }, 0)
    await world.pass(1000)
  }
  expect(world.reads - before).toBeLessThanOrEqual(20)
  world.join('1002', LOBBY)
  await post('1002', { type: 'changed', lobby_id: LOBBY }, 0)
  await world.pass(500)
  expect(ada?.view()).toEqual(world.truth('1000'))
})

it('a player whose reports are true is never slowed down', async () => {
  open(1)
  const [ada] = await members(1, 0)
  for (let change = 0; change < 60; change++) {
    ada?.join(LOBBY, `change ${change}`)
    await world.pass(1500)
  }
  expect(ada?.seen.filter(({ name }) => name === 'updated').length).toBeGreaterThan(55)
})

it('a player who has left without a report receives no message six seconds later, and those who stayed do', async () => {
  open(2)
  const players = await members(3)
  const received = () => players.map(({ messages }) => messages)
  await hubAt(0).deliverMessage(messageOf('to all'))
  await world.pass(500)
  expect(received()).toEqual([1, 1, 1])
  world.leave('1001', LOBBY)
  await world.pass(6000)
  await hubAt(1).deliverMessage(messageOf('to those who stayed'))
  await world.pass(1000)
  expect(received()).toEqual([2, 1, 2])
  const reads = world.reads
  for (let index = 0; index < 20; index++) await hubAt(index).deliverMessage(messageOf('hello'))
  expect(world.reads).toBe(reads)
})

it.each([
  ['an hour behind that of Redis', 3_600_000],
  ['an hour ahead of that of Redis', -3_600_000],
  ['a minute behind that of Redis', 60_000],
])(
  'a player who has left without a report receives no message if the clock of the backend is %s',
  async (_, ahead) => {
    open(0)
    const broker = memoryLobbyBroker({ clock: world.clock })
    const nextVersion = async (least: number) => Math.max(least, (world.clock.now() + ahead) * 1000) + 1
    for (let process = 0; process < 2; process++) world.hubs.push(world.startHub({ ...broker, nextVersion }))
    const players = await members(2, 0)
    await hubAt(0).deliverMessage(messageOf('to both'))
    world.leave('1001', LOBBY)
    await world.pass(6000)
    const reads = world.reads
    for (let message = 0; message < 20; message++)
      await hubAt(message).deliverMessage(messageOf('to who stayed'))
    await world.pass(500)
    expect(players.map(({ messages }) => messages)).toEqual([21, 1])
    expect(world.reads - reads).toBeLessThanOrEqual(2)
  },
)

it('a state that is stored again after lost notes does not count as read', async () => {
  open(1)
  world.isRecording = true
  const empty = world.saveBroker()
  const players = await members(2, 0)
  world.hubs.push(world.startHub())
  world.leave('1001', LOBBY)
  await world.pass(60_000)
  await empty()
  world.gap(0)
  await world.pass(1000)
  await hubAt(1).deliverMessage(messageOf('to who stayed'))
  await world.pass(500)
  expect(players.map(({ messages }) => messages)).toEqual([1, 0])
})

it.each([
  ['has ended', 'unknown_lobby', 404],
  ['belongs to another application', 'missing_access', 403],
] as const)('a message of a lobby that %s reaches nobody', async (_, code, status) => {
  open(1)
  const players = await members(2, 0)
  await world.pass(6000)
  world.refusal = new ApiError(code, 'GET /lobbies/:id', { status })
  await hubAt(0).deliverMessage(messageOf('to nobody'))
  await world.pass(500)
  expect(players.map(({ messages }) => messages)).toEqual([0, 0])
})
