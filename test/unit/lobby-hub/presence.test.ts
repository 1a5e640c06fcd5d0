/** Presence of members while a process reads it from the broker and another process changes it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HubWorld, settled, type WorldPlayer } from '../../support/hub-world'

const LOBBY = '901'
const AWAY_AFTER = 10_000
const BEN = '12'
let world: HubWorld
let release: () => void
let ada: WorldPlayer

beforeEach(async () => {
  world = new HubWorld(1)
  world.isFaulty = false
  ada = world.player('11', 0)
  await settled()
  ada.join(LOBBY)
  await world.pass(1000)
})
afterEach(() => world.close())

/** Holds the broker's answers about streams, or the storing of streams, from now on until `release()`. */
function hold(part: 'heldReads' | 'heldWrites'): void {
  world[part] = new Promise((resolve) => {
    release = () => {
      world[part] = undefined
      resolve()
    }
  })
}

const presence = () => ada.member(LOBBY, BEN)?.presence

test('a player who connects to another process during a read is online after it', async () => {
  hold('heldReads')
  world.join(BEN, LOBBY)
  world.changedByBackend(LOBBY)
  await settled()
  world.player(BEN, 1)
  await settled()
  release()
  await settled()
  expect(presence()).toBe('online')
})

test('a player whose stream the broker stores late is online as soon as it is stored', async () => {
  hold('heldWrites')
  world.player(BEN, 1)
  await settled()
  world.join(BEN, LOBBY)
  world.changedByBackend(LOBBY)
  await settled()
  release()
  await settled()
  expect(presence()).toBe('online')
})

test('a player who returns to another process while the first one decides that the player is away stays online', async () => {
  const ben = world.player(BEN, 0)
  await settled()
  ben.join(LOBBY)
  await world.pass(1000)
  expect(presence()).toBe('online')
  ben.isOffline = true
  ben.cut()
  await settled()
  hold('heldReads')
  await world.pass(AWAY_AFTER)
  ben.isOffline = false
  ben.home = 1
  ben.stream.reconnect()
  await settled()
  expect(world.hubs[1]?.streams).toBe(1)
  release()
  await settled()
  expect(presence()).toBe('online')
})

test('a player who comes back is online in their own process, also if the note about it is lost', async () => {
  const ben = world.player(BEN, 0)
  await settled()
  ben.join(LOBBY)
  await world.pass(1000)
  ben.isOffline = true
  ben.cut()
  await world.pass(AWAY_AFTER + 1000)
  expect(presence()).toBe('away')
  world.lostNotesOf = 'all'
  ben.isOffline = false
  ben.stream.reconnect()
  await world.pass(1000)
  expect(presence()).toBe('online')
})
