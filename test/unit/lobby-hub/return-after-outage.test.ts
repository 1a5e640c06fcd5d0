/** All processes of a backend fail at once, and all players come back, in virtual time: `FOYER_PLAYERS` sets their number. */
import { isDeepStrictEqual } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { HubWorld } from '../../support/hub-world'

const PLAYERS = Number(process.env['FOYER_PLAYERS'] ?? 1000)
const MEMBERS = 8
/** A process serves 20,000 streams at most. */
const PROCESSES = Math.max(4, Math.ceil(PLAYERS / 12_500))
/** Largest part of the players that may come back in one second. */
const SPREAD = 0.15
/** ms. */
const OUTAGE = 20_000
const RETURN = 60_000

const lobbyOf = (index: number) => String(1_000_000 + Math.floor(index / MEMBERS))
const playerOf = (index: number) => String(100_000 + index)
let world: HubWorld

afterEach(() => world.close())

/** Connects all players, and lets one process read each lobby. */
async function connectAll(): Promise<void> {
  for (let index = 0; index < PLAYERS; index++) {
    world.join(playerOf(index), lobbyOf(index))
    world.player(playerOf(index))
  }
  await world.pass(1000, 500)
  for (let index = 0; index < PLAYERS; index += MEMBERS) void world.hubs[0]?.changed(lobbyOf(index))
  await world.pass(5000, 500)
}

/** Ids of the players whose view is not the service's truth. */
const wrongViews = (): string[] => {
  const wrong = world.players.filter((player) => !isDeepStrictEqual(player.view(), world.truth(player.id)))
  return wrong.map(({ id }) => id)
}

/** Largest number of requests for a stream in a second after a time, to all processes. */
function mostInOneSecond(start: number): number {
  const seconds = new Map<number, number>()
  for (const { at } of world.responses) {
    const second = Math.floor((at - start) / 1000)
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
  }
  return Math.max(...seconds.values())
}

test(`${PLAYERS} players come back spread over time, to stored states, and every view is right within 60 s`, async () => {
  world = new HubWorld(1, PROCESSES)
  world.isFaulty = false
  world.isSeenRecorded = false
  await connectAll()
  expect(wrongViews()).toEqual([])

  world.endHubs()
  await world.pass(OUTAGE, 500)
  // A change that nobody could report while all processes were away; the backend notices it when it is back.
  world.join('999', lobbyOf(0))
  world.responses.length = 0
  const [back, reads] = [world.clock.now(), world.reads]
  for (let i = 0; i < PROCESSES; i++) world.hubs.push(world.startHub())
  world.changedByBackend(lobbyOf(0))
  await world.pass(RETURN, 500)
  expect(wrongViews()).toEqual([])
  expect(world.responses.filter(({ status }) => status !== 200)).toEqual([])
  expect(world.responses.length).toBe(PLAYERS)
  const most = mostInOneSecond(back)
  console.log(`${PLAYERS} players, ${PROCESSES} processes: at most ${most} in a second, ${world.reads - reads} reads.`)
  expect(most).toBeLessThanOrEqual(PLAYERS * SPREAD)
  // The lobbies are stored; only the changed one is read, once by each process.
  expect(world.reads - reads).toBeLessThanOrEqual(PROCESSES)
}, 600_000)
