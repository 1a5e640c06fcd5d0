/** Generated schedules of joins, leaves, changes, lost connections and faulty brokers: every client's view becomes the service's truth. */
import { expect, test } from 'vitest'
import { HubWorld, settled } from '../support/hub-world'

const SCHEDULES = Number(process.env['FOYER_SCHEDULES'] ?? 300)
const PLAYERS = ['11', '12', '13']
const LOBBIES = ['901', '902']

async function run(seed: number) {
  const world = new HubWorld(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(world.random() * list.length)] as T
  const players = PLAYERS.map((id) => world.player(id))
  const steps: (() => void)[] = [
    () => pick(players).join(pick(LOBBIES), String(Math.floor(world.random() * 1000))),
    () => pick(players).leave(pick(LOBBIES)),
    () => {
      const [lobby, member] = [pick(LOBBIES), pick(PLAYERS)]
      if (world.random() < 0.5) world.join(member, lobby, 'by backend')
      else world.leave(member, lobby)
      world.changedByBackend(lobby)
    },
    () => pick(players).cut(),
    () => void (pick(players).isOffline = world.random() < 0.5),
    () => world.gap(),
  ]
  for (let step = 0; step < 12; step++) {
    pick(steps)()
    if (world.random() < 0.6) {
      world.clock.advance(world.random() * 1500)
      await settled()
    }
  }
  world.isFaulty = false
  for (const player of players) player.isOffline = false
  // The connection to the broker is restored; clients reconnect after 30 s at the latest, and failed reads are repeated.
  await world.pass(4000, 1000)
  world.gap()
  await world.pass(75_000, 2500)
  const views = players.map((player) => player.view())
  const truths = players.map(({ id }) => world.truth(id))
  const strangers = players.flatMap(({ seen, id }) =>
    seen.filter(({ name, lobby }) => name !== 'deleted' && !lobby.members.some((member) => member.id === id)),
  )
  const presence = players.map((player) => player.presence())
  world.close()
  // All players are connected by now.
  const online = truths.map((lobbies) =>
    Object.fromEntries(
      Object.values(lobbies).flatMap((members) => Object.keys(members).map((id) => [id, 'online'])),
    ),
  )
  return {
    found: { seed, views, presence, strangers },
    expected: { seed, views: truths, presence: online, strangers: [] },
  }
}

test(`every view and the presence of members converge to the truth, in ${SCHEDULES} schedules`, async () => {
  const first = Number(process.env['FOYER_FIRST_SEED'] ?? 1)
  for (let seed = first; seed < first + SCHEDULES; seed++) {
    const { found, expected } = await run(seed)
    expect(found).toEqual(expected)
  }
})
