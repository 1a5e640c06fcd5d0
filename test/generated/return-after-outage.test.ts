/** All processes of a backend fail at once, and all players come back, in virtual time: `FOYER_PLAYERS` sets their number. */
import { isDeepStrictEqual } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { HubWorld } from '../support/hub-world'

const PLAYERS = Number(process.env['FOYER_PLAYERS'] ?? 1000)
const MEMBERS = 8
/** A process serves 20,000 streams at most. */
const PROCESSES = Math.max(4, Math.ceil(PLAYERS / 12_500))
/** Streams that a process opens in a second: as many, relative to its players, as the default of 500 for 12,500 of them. */
const RATE = PLAYERS / PROCESSES / 25
/** ms that a test may take: about 3 of CPU time for each player, on a busy machine. */
const TIMEOUT = Math.max(600_000, PLAYERS * 30)
/** Part of a second by which streams open ahead of the rate. */
const BURST = 0.25
/** ms. Requests of one step arrive at the same time: a step is shorter than the burst, so that a process opens as many as it may. */
const RETURN = 60_000
const STEP = 200

const lobbyOf = (index: number) => String(1_000_000 + Math.floor(index / MEMBERS))
const playerOf = (index: number) => String(100_000 + index)
let world: HubWorld

afterEach(() => world.close())

/** Connects all players, and lets one process read each lobby. */
async function connectAll(): Promise<void> {
  world.maxConnectsPerSecond = Number.POSITIVE_INFINITY
  startHubs()
  for (let index = 0; index < PLAYERS; index++) {
    world.join(playerOf(index), lobbyOf(index))
    world.player(playerOf(index))
  }
  await world.pass(1000, 500)
  for (let index = 0; index < PLAYERS; index += MEMBERS) void world.hubs[0]?.changed(lobbyOf(index))
  await world.pass(5000, 500)
}

function startHubs(): void {
  for (let i = 0; i < PROCESSES; i++) world.hubs.push(world.startHub())
}

/** Ids of the players whose view is not the service's truth. */
const wrongViews = (): string[] => {
  const wrong = world.players.filter((player) => !isDeepStrictEqual(player.view(), world.truth(player.id)))
  return wrong.map(({ id }) => id)
}

/** Largest number of requests in any second after a time, to one process or to all. */
function mostInOneSecond(
  start: number,
  requests: readonly { readonly at: number; readonly process: number }[],
  only?: number,
): number {
  const seconds = new Map<number, number>()
  for (const { at, process: given } of requests) {
    if (only !== undefined && given !== only) continue
    const second = Math.floor((at - start) / 1000)
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
  }
  return Math.max(...seconds.values())
}

test.each([
  { outage: 20_000, spread: 0.15 },
  { outage: 1000, spread: 0.9 },
])(
  `${PLAYERS} players come back after $outage ms, to stored states, and every view is right within 60 s`,
  async ({ outage, spread }) => {
    world = new HubWorld(1, 0)
    world.isFaulty = false
    world.isSeenRecorded = false
    await connectAll()
    expect(wrongViews()).toEqual([])

    world.endHubs()
    await world.pass(outage, 500)
    // A change that nobody could report while all processes were away; the backend notices it when it is back.
    world.join('999', lobbyOf(0))
    world.responses.length = 0
    const [back, reads] = [world.clock.now(), world.reads]
    world.maxConnectsPerSecond = RATE
    startHubs()
    world.changedByBackend(lobbyOf(0))
    await world.pass(RETURN, STEP)
    expect(wrongViews()).toEqual([])
    const opened = world.responses.filter(({ status }) => status === 200)
    expect(opened.length).toBe(PLAYERS)
    expect(world.responses.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    const asked = mostInOneSecond(back, world.responses)
    const most = Math.max(...world.hubs.map((_, index) => mostInOneSecond(back, opened, index)))
    const last = Math.max(...opened.map(({ at }) => at)) - back
    console.log(
      `${PLAYERS} players, ${PROCESSES} processes, ${outage} ms: in a second at most ${asked} requests and ${most} streams of a process, ` +
        `${world.responses.length - PLAYERS} refused, all back after ${(last / 1000).toFixed(1)} s, ${world.reads - reads} reads; ` +
        `${(process.cpuUsage().user / 1e6).toFixed(0)} s of CPU time until now.`,
    )
    expect(asked).toBeLessThanOrEqual(PLAYERS * spread)
    expect(most).toBeLessThanOrEqual(RATE * (1 + BURST) + 1)
    // The lobbies are stored; only the changed one is read, once by each process.
    expect(world.reads - reads).toBeLessThanOrEqual(PROCESSES)
  },
  TIMEOUT,
)
