/** A hub whose broker holds or sends what no hub has written: it is ignored and logged, and news continue. */
import { type LobbyBroker, type LobbyHub, createLobbyHub, memoryLobbyBroker } from 'foyer-sdk/server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HubWorld, settled } from '../../support/hub-world'

const LOBBY = '901'
const [ADA, BEN] = ['11', '12']
let world: HubWorld
let hub: LobbyHub
let broker: LobbyBroker
let steps: string[]

beforeEach(async () => {
  world = new HubWorld(1, 0)
  world.isFaulty = false
  steps = []
  broker = memoryLobbyBroker({ clock: world.clock })
  hub = world.startHub(broker, { logger: (_level, step) => void steps.push(step) })
  world.hubs.push(hub)
})
afterEach(() => world.close())

const lobby = (members: unknown, id = LOBBY) => ({ id, application_id: '1', metadata: null, members })
const note = (changes: object) => ({ kind: 'lobby', id: LOBBY, version: 1, lobby: lobby([]), ...changes })
const members = (id: string) => [{ id, metadata: null }]

const DAMAGED: [string, unknown][] = [
  ['a member that is null', { kind: 'lobby', id: LOBBY, lobby: lobby([null]) }],
  ['a member that is null, with a version', note({ version: 4e15, lobby: lobby([null]) })],
  ['a member without an id', note({ version: 4e15, lobby: lobby([{ metadata: {} }]) })],
  ['a version above 2^53', note({ version: 2 ** 60, lobby: lobby(members(BEN)) })],
  ['a version that cannot be counted up', note({ version: 2 ** 53 - 1, lobby: lobby(members(BEN)) })],
  ['a version that is negative', note({ version: -1 })],
  ['a version with a fraction', note({ version: 4e15 + 0.5 })],
  ['the lobby of another id', note({ version: 4e15, lobby: lobby(members(BEN), '902') })],
  ['a text as lobby', note({ version: 4e15, lobby: 'moon' })],
  ['players that are null', { kind: 'players', players: [null] }],
  [
    'a name that is an object',
    { kind: 'players', players: [{ id: ADA, online: true, username: { toString: 1 } }] },
  ],
  ['a message that is a text', { kind: 'message', lobbyId: LOBBY, message: 'hello' }],
  ['a message without a message', { kind: 'message', lobbyId: LOBBY }],
  ['a result of a version above 2^53', { kind: 'confirmed', playerId: ADA, lobbyId: LOBBY, version: 1e300 }],
  ['an unknown kind', { kind: '__proto__', lobbyId: LOBBY }],
  ['null', null],
]

it.each(DAMAGED)('a note with %s is ignored and logged, and the next news arrive', async (_, damaged) => {
  const ada = world.player(ADA, 0)
  ada.join(LOBBY)
  await world.pass(1000)
  const before = ada.seen.length
  await expect(broker.publish(JSON.stringify(damaged))).resolves.toBeUndefined()
  await settled()
  expect(steps).toEqual(['lobby_hub.note_ignored'])
  expect(ada.seen).toHaveLength(before)
  world.join(BEN, LOBBY)
  await hub.changed(LOBBY)
  await settled()
  expect(ada.view()).toEqual(world.truth(ADA))
})

it.each([
  ['no JSON', '{'],
  ['a member that is null', JSON.stringify({ id: LOBBY, version: 5, lobby: lobby([null]) })],
  ['a version above 2^53', JSON.stringify({ id: LOBBY, version: 2 ** 60, lobby: lobby(members(ADA)) })],
  ['another lobby', JSON.stringify({ id: '902', version: 5, lobby: lobby(members(ADA), '902') })],
])('a stored state with %s counts as missing: the service is read', async (_, text) => {
  await broker.put(`lobby:${LOBBY}`, text, 60_000)
  await broker.addMember([`lobbies:${ADA}`, `lobbies:${BEN}`], LOBBY, 60_000)
  await broker.addMember([`lobbies:${ADA}`], '../other', 60_000)
  world.join(ADA, LOBBY)
  const ada = world.player(ADA, 0)
  await world.pass(2000)
  expect(ada.view()).toEqual(world.truth(ADA))
})

it('a stored ticket that is damaged is refused', async () => {
  let stored = ''
  const lobbies = {
    get: async () => expect.fail('read'),
    removeMember: async () => undefined,
    onChanged: () => () => undefined,
  }
  const damaged = { ...broker, take: async () => stored }
  const other = createLobbyHub({
    client: { lobbies },
    verify: async () => expect.fail('verified'),
    broker: damaged,
  })
  for (stored of ['{', 'null', '[]', '{"id":11}', `{"id":"${ADA}","expiresAt":"later"}`]) {
    const response = await other(new Request(`https://game.test/lobbies?ticket=${'x'.repeat(43)}`))
    expect(response.status).toBe(401)
  }
  other.close()
})

const throwing = (): never => {
  throw new Error('of the logger')
}

it('a logger that throws disturbs neither the broker nor the next news', async () => {
  world.hubs.push(world.startHub(broker, { logger: throwing }))
  const ada = world.player(ADA, 1)
  ada.join(LOBBY)
  await world.pass(1000)
  await expect(broker.publish('{')).resolves.toBeUndefined()
  world.join(BEN, LOBBY)
  await hub.changed(LOBBY)
  await settled()
  expect(ada.view()).toEqual(world.truth(ADA))
})
