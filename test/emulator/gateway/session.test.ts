/** Sessions of bots at the gateway: from HELLO to RESUME. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  GatewayClient,
  GUILDS,
  identify,
  MESSAGE_CONTENT,
  GUILD_MESSAGES,
  settled,
} from '../support/gateway-client'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let emulator: Emulator
let clients: GatewayClient[]

beforeEach(async () => {
  emulator = await createEmulator()
  clients = []
})
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()))
  await emulator.close()
})

function connect(url = emulator.gateway.url): GatewayClient {
  const client = new GatewayClient(url)
  clients.push(client)
  return client
}

test('a bot is greeted with the interval of heartbeats, and each is acknowledged', async () => {
  const client = connect()
  expect(await client.next()).toEqual({ op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null })
  client.send({ op: 1, d: null })
  expect(await client.next()).toMatchObject({ op: 11 })
})

test('a session begins with READY and the guilds of the application', async () => {
  const client = connect()
  const { d } = await identify(client, emulator, GUILDS)
  const { application } = emulator
  expect(d).toMatchObject({
    v: 10,
    user: { id: application.id, username: application.name, bot: true },
    application: { id: application.id },
    resume_gateway_url: emulator.gateway.url,
    shard: [0, 1],
  })
  const guild = await client.event('GUILD_CREATE')
  expect(d['guilds']).toContainEqual({ id: guild.d['id'], unavailable: true })
  expect(emulator.gateway.sessions()).toMatchObject([
    { id: d['session_id'], intents: ['GUILDS'], connected: true, heartbeats: 0 },
  ])
})

const messages = GUILD_MESSAGES | MESSAGE_CONTENT

async function begin(intents = messages): Promise<{ client: GatewayClient; session: string }> {
  const client = connect()
  const { d } = await identify(client, emulator, intents)
  return { client, session: String(d['session_id']) }
}

/** Connects again where READY said it. */
async function resume(session: string, seq: number): Promise<GatewayClient> {
  const client = connect(`${emulator.gateway.url}?v=10&encoding=json`)
  await client.opcode(10)
  client.send({ op: 6, d: { token: emulator.application.botToken, session_id: session, seq } })
  return client
}

const say = (content: string) => emulator.interactions.say({ as: 'ada', content })
const contentsOf = ({ frames }: GatewayClient) =>
  frames.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => d['content'])

test('a bot that resumes gets what it has missed, in order, and then RESUMED', async () => {
  const { client, session } = await begin()
  say('before')
  await client.event('MESSAGE_CREATE')
  await client.end()
  for (const content of ['one', 'two', 'three']) say(content)
  const second = await resume(session, client.sequence)
  await second.event('RESUMED')
  expect(contentsOf(second)).toEqual(['one', 'two', 'three'])
  expect(second.events.at(-1)).toBe('RESUMED')
  expect(emulator.gateway.sessions()).toMatchObject([{ id: session, connected: true }])
})

test('1,000 events over broken sockets arrive once each, in order', async () => {
  const { client, session } = await begin()
  const received: unknown[] = []
  const numbers: (number | null)[] = []
  let current = client
  let sent = 0
  // Portions of other sizes, up to as many as the gateway keeps beside RESUMED.
  for (const size of [1, 249, 7, 120, 200, 3, 90, 180, 40, 110]) {
    // The first half may arrive before the socket breaks, in the middle of what is sent.
    for (let count = 0; count < size; count++) {
      say(String(sent++))
      if (count === Math.floor(size / 2)) current.socket.terminate()
    }
    await current.closed
    received.push(...contentsOf(current))
    numbers.push(...current.frames.flatMap(({ s }) => s ?? []))
    current = await resume(session, Math.max(...numbers.map(Number)))
    await current.event('RESUMED')
  }
  received.push(...contentsOf(current))
  numbers.push(...current.frames.flatMap(({ s }) => s ?? []))
  expect(received).toEqual(Array.from({ length: 1000 }, (_, index) => String(index)))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

test('a bot that has missed more than the gateway keeps begins a new session on the same connection', async () => {
  const { client, session } = await begin()
  await client.end()
  for (let count = 0; count < 251; count++) say('missed')
  const second = await resume(session, client.sequence)
  expect(await second.opcode(9)).toMatchObject({ d: false })
  const properties = { os: 'linux', browser: 'test', device: 'test' }
  second.send({ op: 2, d: { token: emulator.application.botToken, intents: messages, properties } })
  const { d } = await second.event('READY')
  expect(d['session_id']).not.toBe(session)
  expect(emulator.gateway.sessions().map(({ id }) => id)).toEqual([d['session_id']])
})

test('a session that was broken for more than five minutes is over', async () => {
  const { client, session } = await begin()
  await client.end()
  await expect.poll(() => emulator.gateway.sessions()[0]?.connected).toBe(false)
  emulator.advance(299_000)
  expect(emulator.gateway.sessions()).toHaveLength(1)
  emulator.advance(2000)
  expect(emulator.gateway.sessions()).toEqual([])
  expect(await (await resume(session, 1)).opcode(9)).toMatchObject({ d: false })
})

test('50 sessions get each event, and a broken one disturbs no other', async () => {
  const bots = await Promise.all(Array.from({ length: 50 }, () => begin()))
  say('first')
  const [{ client: broken }, ...others] = bots as [(typeof bots)[0], ...typeof bots]
  await broken.event('MESSAGE_CREATE')
  await broken.end()
  say('second')
  await Promise.all(others.map(({ client }) => settled(client)))
  expect(others.map(({ client }) => contentsOf(client))).toEqual(others.map(() => ['first', 'second']))
  expect(emulator.gateway.sessions().filter(({ connected }) => connected)).toHaveLength(49)
})

describe('a missed heartbeat', () => {
  test('is asked for, and a bot that answers stays however far the clock goes', async () => {
    const { client, session } = await begin()
    for (const ms of [3_600_000, 86_400_000, 61_876]) {
      emulator.advance(ms)
      await client.opcode(1)
      await settled(client)
      emulator.advance(11_000)
    }
    await settled(client)
    expect(emulator.gateway.sessions()).toMatchObject([{ id: session, connected: true, heartbeats: 4 }])
  })

  test('of a bot that is silent ends its session ten seconds after it was asked for', async () => {
    const { client, session } = await begin()
    emulator.advance(61_000)
    await settled(client)
    emulator.advance(61_000)
    expect(client.frames.filter(({ op }) => op === 1)).toEqual([])
    emulator.advance(1000)
    await client.opcode(1)
    emulator.advance(9000)
    expect(emulator.gateway.sessions()).toHaveLength(1)
    emulator.advance(1001)
    expect((await client.closed).code).toBe(4009)
    expect(emulator.gateway.sessions()).toEqual([])
    expect(await (await resume(session, 1)).opcode(9)).toMatchObject({ d: false })
  })

  test('does not arise from a clock that goes back', async () => {
    const { client } = await begin()
    emulator.clock({ skew: -86_400_000 })
    emulator.advance(41_000)
    await settled(client)
    expect(client.frames.filter(({ op }) => op === 1)).toEqual([])
  })
})

describe('a disturbance', () => {
  test('asks to reconnect, and the bot resumes while its old connection is still there', async () => {
    const { client, session } = await begin()
    emulator.gateway.disturb('reconnect')
    await client.opcode(7)
    const second = await resume(session, client.sequence)
    await second.event('RESUMED')
    expect((await client.closed).code).toBe(4000)
    say('hello')
    await second.event('MESSAGE_CREATE')
  })

  test('invalidates, and the bot begins again on the same connection', async () => {
    const { client, session } = await begin()
    emulator.gateway.disturb('invalidate')
    expect(await client.opcode(9)).toMatchObject({ d: false })
    const properties = { os: 'linux', browser: 'test', device: 'test' }
    client.send({ op: 2, d: { token: emulator.application.botToken, intents: messages, properties } })
    expect((await client.event('READY')).d['session_id']).not.toBe(session)
  })

  test('drops the socket, and the bot resumes', async () => {
    const { client, session } = await begin()
    emulator.gateway.disturb('drop')
    expect((await client.closed).code).toBe(1006)
    await (await resume(session, client.sequence)).event('RESUMED')
  })

  test('is available to other processes, with the sessions and their events', async () => {
    const { client, session } = await begin()
    const control = (path: string, init: RequestInit = {}) =>
      fetch(`${emulator.url}/_emulator/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${emulator.controlToken}` },
      })
    expect(await (await control('gateway')).json()).toEqual({
      url: emulator.gateway.url,
      sessions: emulator.gateway.sessions(),
    })
    expect(await (await control(`gateway/${session}/events`)).json()).toMatchObject([{ type: 'READY' }])
    expect((await control('gateway/unknown/events')).status).toBe(400)
    const body = JSON.stringify({ how: 'drop' })
    expect((await control('gateway/disturb', { method: 'POST', body })).status).toBe(204)
    expect((await client.closed).code).toBe(1006)
  })
})

test('a session does not survive a restart of the emulator, and the bot token does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  try {
    const state = join(folder, 'state.sqlite')
    await emulator.close()
    emulator = await createEmulator({ state })
    const { client, session } = await begin()
    const { port } = new URL(emulator.url)
    await emulator.close()
    expect((await client.closed).code).toBe(1001)
    emulator = await createEmulator({ state, port: Number(port) })
    const second = await resume(session, client.sequence)
    expect(await second.opcode(9)).toMatchObject({ d: false })
    await identify(connect(), emulator)
  } finally {
    await emulator.close()
    await rm(folder, { recursive: true })
  }
})
