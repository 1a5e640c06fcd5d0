/** attack/170 attack/171, and delivery after a silent leave: what one player, or many accounts, can take from all others at a lobby hub. */
import type { LobbyHub } from 'foyer-sdk/server'
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
  hubAt(process)(new Request(URL_OF_HUB, { method: 'POST', headers: { authorization: `Bearer ${player}` }, body: JSON.stringify(report) }))

const messageOf = (content: string) => ({ id: '7000', lobby_id: LOBBY, content, author: { id: '1000', username: 'ada' } })

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
])('lobbies that $accounts accounts invent at $processes processes cost a small share of the reads', async ({ accounts, processes }) => {
  open(processes)
  const invent = async (from: number) => {
    for (let account = 0; account < accounts; account++)
      for (let lobby = 0; lobby < 10; lobby++)
        await post(String(5000 + account), { type: 'changed', lobby_id: String(from + account * 100 + lobby) }, account + lobby)
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
