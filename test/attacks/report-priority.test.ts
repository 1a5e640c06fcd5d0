/** attack/170 attack/171: reads that reports of players cause give way to the bot's calls, and to changes that the backend knows of. */
import { createLobbyHub, type Lobby, type LobbyHub, type Player } from 'foyer-sdk/server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { settled } from '../support/hub-world'
import { ManualClock } from '../support/manual-clock'

const LOBBY = '901'
const LIMIT = 50
let clock: ManualClock
let hub: LobbyHub
/** Priorities of the reads at the service. */
let reads: (string | undefined)[]
/** Free calls of the application's rate limit. */
let free: number
let members: string[]
/** While true, the service does not answer reads of low priority. */
let isSlow: boolean

beforeEach(() => {
  clock = new ManualClock()
  ;[reads, free, members, isSlow] = [[], LIMIT, [], false]
  hub = createLobbyHub({
    client: {
      lobbies: {
        get: async (id, options) => {
          reads.push(options?.priority)
          if (isSlow && options?.priority === 'low') await new Promise(() => undefined)
          return {
            id,
            application_id: '1',
            metadata: {},
            members: members.map((each) => ({ id: each, metadata: {} })),
          } as unknown as Lobby
        },
        removeMember: async () => undefined,
        onChanged: () => () => undefined,
      },
      limits: () => [{ bucket: 'global', limit: LIMIT, free }],
    },
    verify: async (given) => {
      const id = given instanceof Request ? (given.headers.get('authorization') ?? '').slice(7) : given
      return { id, username: id, expiresAt: clock.now() + 3_600_000, claims: {} } as unknown as Player
    },
    clock,
  })
})
afterEach(() => hub.close())

async function report(player: string, lobby = LOBBY): Promise<void> {
  const body = JSON.stringify({ type: 'changed', lobby_id: lobby })
  await hub(
    new Request('https://game.test/lobbies', {
      method: 'POST',
      headers: { authorization: `Bearer ${player}` },
      body,
    }),
  )
  await pass(0)
}

async function pass(ms: number): Promise<void> {
  await settled()
  clock.advance(ms)
  await settled()
}

it('a change that the backend knows of does not wait for the read of a report', async () => {
  isSlow = true
  await report('1000')
  expect(reads).toEqual(['low'])
  let isRead = false
  void hub.changed(LOBBY).then(() => (isRead = true))
  await settled()
  expect(reads).toEqual(['low', 'high'])
  expect(isRead).toBe(true)
})

it('a player whose report has shown a change is read before players who have shown nothing', async () => {
  await hub.changed(LOBBY)
  members = ['1000']
  await report('1000')
  members = ['1000', '1001']
  await report('1000')
  await report('1002')
  expect(reads).toEqual(['high', 'low', 'normal', 'low'])
})

it('the last three tenths of the rate limit are left to others, for half a second at most', async () => {
  free = 15
  await report('1000')
  await pass(450)
  expect(reads).toEqual([])
  void hub.changed(LOBBY)
  await settled()
  expect(reads).toEqual(['high'])
  free = 16
  await pass(50)
  expect(reads).toEqual(['high', 'low'])
  free = 0
  await report('1001')
  await pass(499)
  expect(reads).toEqual(['high', 'low'])
  await pass(51)
  expect(reads).toEqual(['high', 'low', 'low'])
})

it('reads of reports that wait for the rate limit start one after another, as many as it has room for', async () => {
  free = 0
  for (let lobby = 1; lobby <= 5; lobby++) await report(String(1000 + lobby), String(900 + lobby))
  free = 17
  await pass(50)
  expect(reads).toEqual(['low'])
  free = 15
  await pass(400)
  expect(reads).toEqual(['low'])
})
