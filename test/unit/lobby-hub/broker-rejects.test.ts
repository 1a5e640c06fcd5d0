/** A broker that does not answer: the process goes on without it. */
import { type LobbyHub, memoryLobbyBroker } from 'foyer-sdk/server'
import { afterEach, expect, test } from 'vitest'
import { HubWorld } from '../../support/hub-world'

const LOBBY = '901'
const ADA = '11'
let world: HubWorld
let hub: LobbyHub
const unhandled: unknown[] = []
const record = (reason: unknown) => void unhandled.push(reason)

afterEach(() => {
  process.off('unhandledRejection', record)
  hub.close()
  world.close()
})

test('reads that time out one after the other leave no rejection unhandled, which would end the process', async () => {
  process.on('unhandledRejection', record)
  world = new HubWorld(1, 0)
  world.isFaulty = false
  const broker = memoryLobbyBroker({ clock: world.clock })
  let isFrozen = false
  let rejected = 0
  const rejectAfter = (ms: number) =>
    new Promise<never>((_, reject) => {
      world.clock.after(ms, () => {
        rejected += 1
        reject(new Error('timed out'))
      })
    })
  const frozen = {
    ...broker,
    getAll: (keys: readonly string[]) => (isFrozen ? rejectAfter(1000) : broker.getAll(keys)),
    membersOf: (sets: readonly string[]) => (isFrozen ? rejectAfter(1010) : broker.membersOf(sets)),
  }
  hub = world.startHub(frozen)
  world.hubs.push(hub)
  const ada = world.player(ADA, 0)
  await world.pass(1000)
  isFrozen = true
  world.join(ADA, LOBBY)
  void hub.changed(LOBBY)
  await world.pass(5000)
  expect(rejected).toBeGreaterThan(1)
  expect(Object.keys(ada.view())).toEqual([LOBBY])
  expect(unhandled).toEqual([])
})
