/** Comparison of lobbies after notes and stored states were lost: one process noticed it, the other one has the lost state. In virtual time. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HubWorld, settled, type WorldPlayer } from '../../support/hub-world'

const [ADA, BEN, CLEO] = ['11', '12', '13']
const LOBBY = '901'
/** ms after which a comparison has ended. */
const COMPARED = 1000
let world: HubWorld
let ada: WorldPlayer
let ben: WorldPlayer

beforeEach(async () => {
  world = new HubWorld(1)
  world.isFaulty = false
  world.isRecording = true
  ada = world.player(ADA, 0)
  ben = world.player(BEN, 1)
  for (const player of [ada, ben]) {
    await settled()
    player.join(LOBBY, 'before')
    await world.pass(1000)
  }
})
afterEach(() => world.close())

/** Ben's process stores a change that reaches nobody else; then the broker has the state of before again, as a replica has. */
async function loseChange(): Promise<void> {
  const restore = world.saveBroker()
  world.lostNotesOf = 0
  ben.join(LOBBY, 'after')
  await world.pass(COMPARED)
  world.lostNotesOf = undefined
  await restore()
}

it('a state that only another process still has reaches the process that has lost its notes', async () => {
  await loseChange()
  expect(ben.view()).toEqual(world.truth(BEN))
  expect(ada.view()[LOBBY]).toEqual({ [ADA]: 'before', [BEN]: 'before' })
  const { reads } = world
  world.gap(0)
  await world.pass(COMPARED)
  expect(ada.view()).toEqual(world.truth(ADA))
  // The comparison needs no read at the service.
  expect(world.reads).toBe(reads)
})

it('the state is stored again: a player who connects later sees it without a read', async () => {
  world.join(CLEO, LOBBY)
  world.changedByBackend(LOBBY)
  await world.pass(COMPARED)
  await loseChange()
  world.gap(0)
  await world.pass(COMPARED)
  const { reads } = world
  // A process that has never had the lobby.
  world.hubs.push(world.startHub())
  const cleo = world.player(CLEO, 2)
  await settled()
  expect(cleo.view()).toEqual(world.truth(CLEO))
  expect(world.reads).toBe(reads)
})

it('a stored state that is newer than both reaches both', async () => {
  world.lostNotesOf = 'all'
  const other = world.startHub()
  world.join(BEN, LOBBY, 'by another process')
  await other.changed(LOBBY)
  world.lostNotesOf = undefined
  expect([ada, ben].map((player) => player.view()[LOBBY]?.[BEN])).toEqual(['before', 'before'])
  world.gap(0)
  await world.pass(COMPARED)
  for (const player of [ada, ben]) expect(player.view()).toEqual(world.truth(player.id))
  other.close()
})

it('gaps at several processes at once cause two comparisons in each at most', async () => {
  const { comparisons } = world
  world.gap()
  await world.pass(COMPARED)
  // Each process heals at once, and all compare once more together.
  expect(world.comparisons - comparisons).toBeLessThanOrEqual(4)
})

it('a player whose join reached another process only has the lobby after the gap', async () => {
  const cleo = world.player(CLEO, 0)
  await settled()
  world.lostNotesOf = 0
  world.join(CLEO, '902')
  ben.join('902')
  await world.pass(COMPARED)
  world.lostNotesOf = undefined
  // The process of this player has never had the lobby.
  expect(cleo.view()).toEqual({})
  world.gap(0)
  await world.pass(COMPARED)
  expect(cleo.view()).toEqual(world.truth(CLEO))
})

it.each([0, 1])(
  'a player who was removed while offline learns it after lost notes, if process %i has noticed the loss',
  async (process) => {
    ben.isOffline = true
    ben.cut()
    world.leave(BEN, LOBBY)
    world.changedByBackend(LOBBY)
    await world.pass(COMPARED)
    world.lostNotesOf = 'all'
    ben.isOffline = false
    ben.stream.reconnect()
    await world.pass(COMPARED)
    // The client still has what it had before, and the answer to it was lost.
    expect(ben.view()[LOBBY]).toBeDefined()
    world.lostNotesOf = undefined
    world.gap(process)
    await world.pass(2 * COMPARED)
    expect(ben.view()).toEqual({})
  },
)
