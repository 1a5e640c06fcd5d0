/** attack/164 attack/165 what a player tries at a lobby hub to see foreign lobbies, to make others believe a change, and to use it up. */
import { createLobbyHub, createPlayerVerifier } from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEventParser, PlayerStream } from '../support/internals'
import { HubWorld, settled } from '../support/hub-world'
import { CLIENT_ID, createKey, ISSUER, TokenIssuer } from '../support/token-issuer'

const [ADA, BEN, EVE] = ['11', '12', '66']
const LOBBY = '901'
const URL_OF_HUB = 'https://game.test/lobbies'
let world: HubWorld

beforeEach(() => {
  world = new HubWorld(1, 1)
  world.isFaulty = false
})
afterEach(() => world.close())

const hub = () => world.hubs[0] ?? expect.fail('no hub')
const send = (player: string, init: RequestInit = {}, url = URL_OF_HUB) =>
  hub()(new Request(url, { ...init, headers: { authorization: `Bearer ${player}` } }))
const post = (player: string, report: unknown) =>
  send(player, { method: 'POST', body: JSON.stringify(report) })

/** Everything that a raw stream of this player has received so far. */
async function listen(player: string, query = '') {
  const response = await send(player, {}, URL_OF_HUB + query)
  let text = ''
  const reader = response.body?.getReader()
  const read = async (): Promise<void> => {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return
    text += new TextDecoder().decode(value)
    return read()
  }
  void read()
  await settled()
  return {
    response,
    text: () => text,
    events: () => createEventParser()(text),
    cancel: () => reader?.cancel(),
  }
}

describe('a player who is not in a lobby', () => {
  beforeEach(() => {
    world.join(ADA, LOBBY, 'the password is moon')
    world.changedByBackend(LOBBY)
  })

  it('receives nothing of it, whichever lobbies the client claims or reports', async () => {
    const ada = await listen(ADA, `?lobbies=${LOBBY}`)
    const eve = await listen(EVE, `?lobbies=${LOBBY}`)
    for (const report of [
      { type: 'changed', lobby_id: LOBBY },
      { type: 'message', lobby_id: LOBBY, message_id: '5' },
    ])
      expect((await post(EVE, report)).status).toBe(202)
    await settled()
    world.join(BEN, LOBBY, 'second secret')
    world.changedByBackend(LOBBY)
    await world.pass(2000)
    expect(ada.text()).toContain('second secret')
    expect(eve.text()).not.toMatch(/secret|password/)
    expect(eve.events().every(({ name }) => name === 'lobby.deleted')).toBe(true)
  })

  it('receives nothing more once removed, not even from a note that arrives late', async () => {
    world.join(EVE, LOBBY)
    const eve = await listen(EVE, `?lobbies=${LOBBY}`)
    await world.pass(1000)
    expect(eve.text()).toContain('the password')
    world.leave(EVE, LOBBY)
    world.changedByBackend(LOBBY)
    await world.pass(1000)
    const withoutComments = () => eve.text().replaceAll(':\n\n', '')
    const before = withoutComments()
    expect(eve.events().at(-1)?.name).toBe('lobby.deleted')
    world.join(ADA, LOBBY, 'changed after that')
    world.changedByBackend(LOBBY)
    world.gap()
    await world.pass(3000)
    expect(withoutComments()).toBe(before)
  })

  it('cannot make anybody believe a change or a message', async () => {
    const ada = await listen(ADA, `?lobbies=${LOBBY}`)
    await world.pass(1000)
    const before = ada.events()
    await post(EVE, {
      type: 'changed',
      lobby_id: LOBBY,
      lobby: { id: LOBBY, members: [{ id: EVE }] },
      members: [{ id: EVE }],
    })
    await post(EVE, { type: 'message', lobby_id: LOBBY, message_id: '5', content: 'from nobody' })
    await post(EVE, { type: 'lobby.deleted', lobby_id: LOBBY })
    await world.pass(2000)
    expect(ada.events()).toEqual(before)
  })
})

describe('a member', () => {
  it('cannot make others believe that somebody has left or joined: the service is read', async () => {
    for (const id of [ADA, BEN]) world.join(id, LOBBY)
    const [ada, ben] = [world.player(ADA), world.player(BEN)]
    ada.join(LOBBY)
    ben.join(LOBBY)
    await world.pass(2000)
    await post(BEN, { type: 'changed', lobby_id: LOBBY, user_id: ADA, removed: true })
    await world.pass(2000)
    expect(ada.view()).toEqual(world.truth(ADA))
    expect(ben.view()).toEqual(world.truth(BEN))
    expect(ada.seen.some(({ name }) => name === 'deleted')).toBe(false)
  })

  it('cannot start a field or an event of the stream with a text', async () => {
    const text = 'a\n\nevent: lobby.deleted\ndata: {"id":"901"}\n\n\u2028\r\rid: 7'
    world.join(ADA, LOBBY, text)
    const ada = await listen(ADA, `?lobbies=${LOBBY}`)
    await world.pass(1000)
    expect(new Set(ada.events().map(({ name }) => name))).toEqual(
      new Set(['lobby.updated', 'lobby.member_updated']),
    )
    expect(JSON.parse(ada.events()[0]?.data ?? '')).toMatchObject({ members: [{ metadata: { text } }] })
  })
})

const ticketOf = async (player: string): Promise<string> =>
  ((await (await post(player, { type: 'ticket' })).json()) as { ticket: string }).ticket
const use = (ticket: string) => hub()(new Request(`${URL_OF_HUB}?ticket=${ticket}`))

describe('a ticket', () => {
  it('opens one stream of its player, and no second one', async () => {
    const ticket = await ticketOf(ADA)
    const responses = await Promise.all([use(ticket), use(ticket), use(ticket)])
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401])
    expect(hub().streams).toBe(1)
  })

  it('ends after 30 seconds, and cannot be guessed or sent as a token', async () => {
    const ticket = await ticketOf(ADA)
    world.clock.advance(30_000)
    expect((await use(ticket)).status).toBe(401)
    for (const guess of ['', 'x', 'x'.repeat(43), 'x'.repeat(100_000), '__proto__'])
      expect((await use(guess)).status).toBe(401)
    const get = await hub()(
      new Request(`${URL_OF_HUB}?ticket=${await ticketOf(ADA)}`, {
        method: 'POST',
        body: '{"type":"ticket"}',
      }),
    )
    expect(get.headers.get('content-type')).toContain('json')
    expect(hub().streams).toBe(0)
  })
})

describe('a hub with real tokens', () => {
  it('takes a token of this game from the header only', async () => {
    const key = await createKey('ES256', 'k')
    const issuer = new TokenIssuer(key)
    const fetch = async () => Response.json({ keys: issuer.published })
    const verify = createPlayerVerifier({
      applicationId: CLIENT_ID,
      service: { host: ISSUER },
      clock: issuer.clock,
      fetch,
    })
    const lobbies = {
      get: async () => expect.fail('read'),
      removeMember: async () => undefined,
      onChanged: () => () => undefined,
    }
    const strict = createLobbyHub({ client: { lobbies }, verify, clock: issuer.clock })
    const [own, foreign] = [await issuer.sign(key), await issuer.sign(key, { aud: '1082700000000000002' })]
    const statusOf = async (url: string, token?: string) =>
      (
        await strict(
          new Request(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
        )
      ).status
    expect(await statusOf(URL_OF_HUB, own)).toBe(200)
    expect(await statusOf(URL_OF_HUB, foreign)).toBe(401)
    expect(await statusOf(URL_OF_HUB)).toBe(401)
    expect(await statusOf(`${URL_OF_HUB}?access_token=${own}`)).toBe(401)
    expect(await statusOf(`${URL_OF_HUB}?token=${own}`, own)).toBe(401)
    expect(strict.streams).toBe(1)
    // The token ends: so does the stream, at the next heartbeat.
    issuer.clock.advance(3_600_000 + 15_000)
    expect(strict.streams).toBe(0)
    strict.close()
  })
})

describe('a greedy player', () => {
  it('has at most eight streams, and each names at most sixteen lobbies', async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => String(1000 + index)).join(',')
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      statuses.push((await listen(EVE)).response.status)
      await world.pass(1000)
    }
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 429, 429, 429, 429])
    const reads = world.reads
    await listen(BEN, `?lobbies=${ids}`)
    await world.pass(1000)
    expect(world.reads - reads).toBeLessThanOrEqual(16)
  })

  it('causes few reads with many reports, and none with a body that is too large or malformed', async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: 1000 },
        async (_, index) => (await post(EVE, { type: 'changed', lobby_id: String(index) })).status,
      ),
    )
    expect(statuses.filter((status) => status === 202)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(970)
    await world.pass(20_000, 1000)
    expect(world.reads).toBeLessThanOrEqual(30)
    const before = world.reads
    const bodies = [
      'x'.repeat(10_000_000),
      '',
      '[]',
      'null',
      '{"type":"changed","lobby_id":901}',
      '{"type":"changed","lobby_id":"../901"}',
      '{"__proto__":{"type":"ticket"}}',
    ]
    for (const body of bodies) expect((await send(EVE, { method: 'POST', body })).status).toBe(400)
    expect(world.reads).toBe(before)
  })

  it('who does not read is disconnected before 256 KiB wait', () => {
    let ended = 0
    const stream = new PlayerStream({ id: EVE, expiresAt: 1, claims: {} } as never, () => (ended += 1))
    const part = new Uint8Array(16 * 1024)
    for (let i = 0; i < 15; i++) stream.send(part)
    expect(ended).toBe(0)
    for (let i = 0; i < 5; i++) stream.send(part)
    expect(ended).toBe(1)
  })
})
