/** A hub that cannot serve: closed, or without its broker. It answers at once, with the time to come back, to pages of any origin. */
import { type LobbyBroker, memoryLobbyBroker } from 'foyer-sdk/server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HubWorld } from '../../support/hub-world'

const URL_OF_HUB = 'https://game.test/lobbies'
const TICKET = '?ticket=' + 'x'.repeat(43)
let world: HubWorld

beforeEach(() => {
  world = new HubWorld(1, 0)
  world.isFaulty = false
})
afterEach(() => world.close())

function start(changes: Partial<LobbyBroker> = {}) {
  const hub = world.startHub({ ...memoryLobbyBroker({ clock: world.clock }), ...changes })
  world.hubs.push(hub)
  return (init: RequestInit = {}, query = '') =>
    hub(new Request(URL_OF_HUB + query, { headers: { authorization: 'Bearer 11' }, ...init }))
}

/** What a page can read of a response. */
async function answer(response: Response) {
  const { headers, status } = response
  const isReadable =
    headers.get('access-control-allow-origin') === '*' &&
    !!headers.get('access-control-expose-headers')?.includes('retry-after')
  return { status, body: await response.json(), wait: Number(headers.get('retry-after')), isReadable }
}

const post = (report: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(report),
  headers: { authorization: 'Bearer 11' },
})

it.each([
  { what: 'a stream', init: {}, query: '' },
  { what: 'a stream by ticket', init: {}, query: TICKET },
  { what: 'a report', init: post({ type: 'changed', lobby_id: '901' }), query: '' },
  { what: 'a ticket', init: post({ type: 'ticket' }), query: '' },
])('a closed hub refuses $what with 503 and a time', async ({ init, query }) => {
  const send = start()
  world.hubs[0]?.close()
  expect(await answer(await send(init, query))).toEqual({
    status: 503,
    body: { code: 'hub_closed' },
    wait: 1,
    isReadable: true,
  })
  expect(world.hubs[0]?.streams).toBe(0)
})

it('a hub that is closed while a token is verified opens no stream', async () => {
  const send = start()
  const response = send()
  world.hubs[0]?.close()
  expect((await response).status).toBe(503)
})

const away = async (): Promise<never> => {
  throw new Error('Connection is closed.')
}

it.each([
  { act: 'created', broken: { put: away }, init: post({ type: 'ticket' }), query: '' },
  { act: 'used', broken: { take: away }, init: {}, query: TICKET },
])(
  'a ticket that cannot be $act without the broker is refused with 503 and a time',
  async ({ broken, init, query }) => {
    const send = start(broken)
    expect(await answer(await send(init, query))).toEqual({
      status: 503,
      body: { code: 'broker_unavailable' },
      wait: 1,
      isReadable: true,
    })
  },
)

it('preflight requests are answered by a closed hub, so that the page can read the refusal', async () => {
  const send = start()
  world.hubs[0]?.close()
  expect((await send({ method: 'OPTIONS' })).status).toBe(204)
})

const messageOf = (lobbyId: string) => ({
  id: '7000',
  lobby_id: lobbyId,
  content: 'hello',
  author: { id: '11' },
})

it.each([
  ['closed before', async () => world.hubs[0]?.close()],
  ['closed twice', async () => (world.hubs[0]?.close(), world.hubs[0]?.close())],
])(
  'a message that is delivered by a hub that was %s reaches nobody, since nobody has read who may receive it',
  async (_, close) => {
    const notes: string[] = []
    const broker = memoryLobbyBroker({ clock: world.clock })
    broker.subscribe({ note: (text) => void notes.push(text), gap: () => undefined })
    start(broker)
    world.join('11', '901')
    await close()
    await world.hubs[0]?.deliverMessage(messageOf('901'))
    expect(notes).toEqual([])
  },
)

it('a closed hub reads no lobby, and reports nothing', async () => {
  start()
  world.hubs[0]?.close()
  await world.hubs[0]?.changed('901')
  world.changedByBackend('901')
  await world.pass(60_000)
  expect([world.reads, world.clock.waiting]).toEqual([0, 0])
})
