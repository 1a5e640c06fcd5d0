/** All processes of a backend fail at once, and all players come back, in virtual time: `FOYER_PLAYERS` sets their number. */
import { expect, test } from 'vitest'
import { HubWorld } from '../../support/hub-world'

const PLAYERS = Number(process.env['FOYER_PLAYERS'] ?? 200)
const MEMBERS = 20
/** A process serves 20,000 streams at most. */
const PROCESSES = Math.max(4, Math.ceil(PLAYERS / 12_500))
/** ms. */
const OUTAGE = 20_000
const RETURN = 60_000

const lobbyOf = (index: number) => String(900_000 + Math.floor(index / MEMBERS))

test(`${PLAYERS} players come back spread over time, to stored states, and every view is right within 60 s`, async () => {
  const world = new HubWorld(1, PROCESSES)
  world.isFaulty = false
  const players = Array.from({ length: PLAYERS }, (_, index) => world.player(String(1000 + index)))
  for (const [index, { id }] of players.entries()) world.join(id, lobbyOf(index))
  for (const [index, player] of players.entries()) player.join(lobbyOf(index))
  await world.pass(20_000, 500)
  for (const player of players) expect(player.view()).toEqual(world.truth(player.id))

  world.endHubs()
  await world.pass(OUTAGE, 500)
  // A change that nobody could report while all processes were away; the backend notices it when it is back.
  world.join('999', lobbyOf(0))
  const [back, reads] = [world.clock.now(), world.reads]
  for (let i = 0; i < PROCESSES; i++) world.hubs.push(world.startHub())
  world.changedByBackend(lobbyOf(0))
  await world.pass(RETURN, 500)
  for (const player of players) expect(player.view()).toEqual(world.truth(player.id))

  const connects = players.map(({ connects: times }) => times.filter((at) => at > back))
  expect(connects.filter(({ length }) => length !== 1)).toEqual([])
  const seconds = new Map<number, number>()
  for (const [at = 0] of connects) seconds.set(Math.floor((at - back) / 1000), (seconds.get(Math.floor((at - back) / 1000)) ?? 0) + 1)
  const most = Math.max(...seconds.values())
  console.log(
    `${PLAYERS} players: at most ${most} in a second, the last after ${Math.max(...seconds.keys()) + 1} s, ${world.reads - reads} reads.`,
  )
  expect(most).toBeLessThanOrEqual(PLAYERS / 5)
  // The lobbies are stored; only the changed one is read, once by each process.
  expect(world.reads - reads).toBeLessThanOrEqual(PROCESSES)
  world.close()
}, 600_000)
