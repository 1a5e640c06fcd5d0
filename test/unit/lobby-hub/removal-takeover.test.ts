/** Removal of players who stay away, although the process that would have removed them has ended: another one does it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HubWorld, settled, type WorldPlayer } from '../../support/hub-world'

const LOBBY = '901'
const REMOVE_AFTER = 20_000
/** ms until a process counts as dead, its players have had the time to come back, and `REMOVE_AFTER` has passed. */
const TAKEN_OVER = 60_000 + 15_000 + 60_000 + REMOVE_AFTER + 1000
const [ADA, BEN] = ['11', '12']
let world: HubWorld
let ada: WorldPlayer
let ben: WorldPlayer

const members = () => [...(world.lobbies.get(LOBBY)?.keys() ?? [])]
const hubAt = (index: number) => world.hubs[index] ?? expect.fail('no hub')

beforeEach(async () => {
  world = new HubWorld(1, 0)
  world.isFaulty = false
  world.removeAfter = REMOVE_AFTER
  for (let i = 0; i < 3; i++) world.hubs.push(world.startHub())
  ada = world.player(ADA, 0)
  ben = world.player(BEN, 1)
  await settled()
  ada.join(LOBBY)
  ben.join(LOBBY)
  await world.pass(1000)
})
afterEach(() => world.close())

/** Closes the player's tab for good. */
async function leaveForGood(player: WorldPlayer): Promise<void> {
  player.isOffline = true
  player.cut()
  await settled()
}

test('a player whose tab was killed before the process is removed, once', async () => {
  expect(members()).toEqual([ADA, BEN])
  await leaveForGood(ben)
  await world.pass(5000)
  world.kill(hubAt(1))
  await world.pass(TAKEN_OVER)
  expect(members()).toEqual([ADA])
  expect(world.removals).toBe(1)
  expect(ada.view()).toEqual(world.truth(ADA))
})

test('a player who was connected to the process, and does not come back, is removed, once', async () => {
  world.kill(hubAt(1))
  await leaveForGood(ben)
  await world.pass(TAKEN_OVER)
  expect(members()).toEqual([ADA])
  expect(world.removals).toBe(1)
})

test('a player who comes back to another process stays, and is removed after leaving that one', async () => {
  world.kill(hubAt(1))
  ben.home = 2
  ben.cut()
  await world.pass(TAKEN_OVER * 2, 500)
  expect(members()).toEqual([ADA, BEN])
  expect(world.removals).toBe(0)
  world.kill(hubAt(2))
  await leaveForGood(ben)
  await world.pass(TAKEN_OVER, 500)
  expect(members()).toEqual([ADA])
  expect(world.removals).toBe(1)
})

test('all processes are replaced: who does not come back to the new ones is removed', async () => {
  world.endHubs()
  ben.isOffline = true
  ada.home = undefined
  await world.pass(5000)
  for (let i = 0; i < 2; i++) world.hubs.push(world.startHub())
  await world.pass(TAKEN_OVER)
  expect(members()).toEqual([ADA])
  expect(world.removals).toBe(1)
  expect(ada.view()).toEqual(world.truth(ADA))
})

test('no process takes over the players of one that is running', async () => {
  await world.pass(TAKEN_OVER, 500)
  expect(members()).toEqual([ADA, BEN])
  await leaveForGood(ben)
  await world.pass(10_000 + REMOVE_AFTER - 1000)
  expect(members()).toEqual([ADA, BEN])
  await world.pass(2000)
  expect(members()).toEqual([ADA])
  await world.pass(TAKEN_OVER, 500)
  expect(world.removals).toBe(1)
})
