/** Names of players whose tokens hold none: the hub reads them at the service. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from 'foyer-sdk'
import type { ApplicationUser } from 'foyer-sdk/server'
import { HubWorld, settled } from '../../support/hub-world'

const LOBBY = '901'
const [ADA, BEN] = ['11', '12']
let world: HubWorld
let read: (id: string) => Promise<ApplicationUser>
/** Ids whose names were read, and when. */
let reads: { id: string; at: number }[]

const user = (id: string) =>
  ({ id, username: `u${id}`, global_name: `Player ${id}`, avatar: null }) as unknown as ApplicationUser

beforeEach(() => {
  world = new HubWorld(1, 0)
  world.isFaulty = false
  reads = []
  read = async (id) => {
    reads.push({ id, at: world.clock.now() })
    return user(id)
  }
  world.users = { get: (id) => read(id) }
  world.hubs.push(world.startHub(), world.startHub())
})
afterEach(() => world.close())

/** Connects Ada to the first process and Ben to the second, in one lobby. */
async function meet() {
  const [ada, ben] = [world.player(ADA, 0), world.player(BEN, 1)]
  await settled()
  ada.join(LOBBY)
  ben.join(LOBBY)
  await world.pass(2000)
  return { ada, ben }
}

test('arrive at the members in all processes, and are read once for each player', async () => {
  const { ada, ben } = await meet()
  expect([ada.member(LOBBY, BEN), ben.member(LOBBY, ADA)]).toMatchObject([
    { username: 'u12', globalName: 'Player 12' },
    { username: 'u11', globalName: 'Player 11' },
  ])
  expect(reads.map(({ id }) => id).sort()).toEqual([ADA, BEN])
})

test('are stored: a player who comes back to another process causes no read', async () => {
  const { ada, ben } = await meet()
  ben.home = 0
  ben.cut()
  await world.pass(60_000)
  expect([ada.member(LOBBY, BEN)?.username, reads.length]).toEqual(['u12', 2])
})

test('of many players who connect at once are read with at most five in a second after the first ten', async () => {
  const start = world.clock.now()
  for (let index = 0; index < 60; index++) world.player(String(1000 + index), 0)
  await world.pass(12_000)
  const within = (ms: number) => reads.filter(({ at }) => at - start < ms).length
  expect(reads).toHaveLength(60)
  expect([within(1000) <= 15, within(5000) <= 35]).toEqual([true, true])
})

test('that the service does not return are asked for again after half a minute, and no others wait for them', async () => {
  let failures = 1
  const answer = read
  read = async (id) => {
    const names = await answer(id)
    if (id === BEN && failures-- > 0) throw new ApiError('http_503', '', { status: 503, retryable: true })
    return names
  }
  const { ada, ben } = await meet()
  expect([ada.member(LOBBY, BEN)?.username, ben.member(LOBBY, ADA)?.username]).toEqual([undefined, 'u11'])
  await world.pass(31_000)
  expect(ada.member(LOBBY, BEN)?.username).toBe('u12')
})

test('of a user whom the service does not know are not asked for again', async () => {
  read = async (id) => {
    reads.push({ id, at: world.clock.now() })
    throw new ApiError('unknown_user', '', { status: 404 })
  }
  await meet()
  await world.pass(120_000)
  expect(reads).toHaveLength(2)
})
