/** Hostile connections to the emulator's gateway. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { connect as connectSocket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  GatewayClient,
  GUILD_MESSAGES,
  GUILDS,
  identify,
  MESSAGE_CONTENT,
  PROPERTIES,
  settled,
} from '../emulator/support/gateway-client'
import { signIn } from '../emulator/support/sign-in-client'

let emulator: Emulator
const clients: GatewayClient[] = []

beforeEach(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await emulator.close()
})

function connect(options = {}): GatewayClient {
  const client = new GatewayClient(emulator.gateway.url, options)
  clients.push(client)
  return client
}

async function codeAfter(frame: unknown, { isBinary = false } = {}): Promise<number> {
  const client = connect()
  await client.opcode(10)
  if (isBinary) client.socket.send(Buffer.from(JSON.stringify(frame)), { binary: true })
  else client.send(frame)
  return (await client.closed).code
}

describe('a connection without the bot token', () => {
  it('attack/330 gets no session, and cannot take over that of the bot', async () => {
    const bot = connect()
    const { d } = await identify(bot, emulator)
    const other = await createEmulator()
    const { accessToken } = await signIn(emulator, 'ada')
    const tokens = [
      '',
      'null',
      accessToken,
      `Bearer ${accessToken}`,
      emulator.application.clientSecret,
      emulator.controlToken,
      other.application.botToken,
      `${emulator.application.botToken} `,
      emulator.application.botToken.slice(0, -1),
    ]
    await other.close()
    for (const token of tokens) {
      expect(await codeAfter({ op: 2, d: { token, intents: GUILDS, properties: PROPERTIES } })).toBe(4004)
      expect(await codeAfter({ op: 6, d: { token, session_id: d['session_id'], seq: 1 } })).toBe(4004)
    }
    await settled(bot)
    expect(emulator.gateway.sessions()).toMatchObject([{ id: d['session_id'], connected: true }])
  })

  it('attack/331 ends after 30 seconds, also if it sends heartbeats, and one more than 100 ends the oldest', async () => {
    const [silent, beating] = [connect(), connect()]
    await Promise.all([silent.opcode(10), beating.opcode(10)])
    emulator.advance(29_000)
    await settled(beating)
    emulator.advance(2000)
    expect([(await silent.closed).code, (await beating.closed).code]).toEqual([4003, 4003])
    const first = connect()
    await first.opcode(10)
    const bot = connect()
    await identify(bot, emulator)
    const many = Array.from({ length: 100 }, () => connect())
    await Promise.all(many.map((client) => client.opcode(10)))
    expect((await first.closed).reason).toBe('too many connections without IDENTIFY')
    emulator.advance(31_000)
    const codes = await Promise.all(many.map(async ({ closed }) => (await closed).code))
    expect(codes).toEqual(many.map(() => 4003))
    await settled(bot)
    expect(emulator.gateway.sessions()).toHaveLength(1)
  })
})

describe('a frame', () => {
  it('attack/332 that is too long, no JSON, deep, binary or of another kind ends its connection alone', async () => {
    const bot = connect()
    await identify(bot, emulator)
    const deep = '['.repeat(2000) + ']'.repeat(2000)
    const hostile: [unknown, number][] = [
      ['x'.repeat(1024 * 1024), 1009],
      [`{"op":1,"d":"${'x'.repeat(4096)}"}`, 4002],
      ['', 4002],
      ['{', 4002],
      ['null', 4002],
      ['7', 4002],
      ['"text"', 4002],
      [deep, 4002],
      [`{"op":2,"d":${deep}}`, 4002],
      ['{"op":{"__proto__":1}}', 4001],
      ['{"op":"1"}', 4001],
      ['{"op":1e400}', 4001],
      ['{}', 4001],
      [{ op: 0, t: 'READY', s: 1, d: {} }, 4001],
      [{ op: 10, d: { heartbeat_interval: 1 } }, 4001],
      [{ op: 2, d: null }, 4002],
      [{ op: 2, d: { token: {} } }, 4002],
      [{ op: 6, d: { token: 1, session_id: [], seq: {} } }, 4002],
    ]
    const codes = []
    for (const [frame] of hostile) codes.push(await codeAfter(frame))
    expect(codes).toEqual(hostile.map(([, code]) => code))
    expect(await codeAfter({ op: 1, d: null }, { isBinary: true })).toBe(4002)
    await settled(bot)
  })

  it('attack/333 beyond 120 in a minute ends the connection, and none of them takes a place elsewhere', async () => {
    const [flooding, other] = [connect(), connect()]
    await Promise.all([identify(flooding, emulator), identify(other, emulator)])
    for (let count = 0; count < 5000; count++) flooding.send({ op: 1, d: null })
    expect((await flooding.closed).code).toBe(4008)
    expect(flooding.frames.filter(({ op }) => op === 11)).toHaveLength(119)
    for (let count = 0; count < 100; count++) other.send({ op: 1, d: null })
    await settled(other)
    emulator.advance(60_001)
    for (let count = 0; count < 100; count++) other.send({ op: 1, d: null })
    await settled(other)
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
  })
})

it('attack/334 a page of another origin, or of a rebound name, opens no socket', async () => {
  const { host, port } = new URL(emulator.url)
  const pages = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://localhost:${Number(port) + 1}` },
    { origin: `http://evil.example:${port}`, headers: { host: `evil.example:${port}` } },
    { origin: `https://${host}` },
  ]
  const codes = []
  for (const page of pages) codes.push((await connect(page).closed).code)
  expect(codes).toEqual(pages.map(() => 1006))
  expect(clients.flatMap(({ frames }) => frames)).toEqual([])
  // A bot in a container knows the emulator by another name, and is told that name.
  const bot = connect({ headers: { host: `emulator.internal:${port}` } })
  const { d } = await identify(bot, emulator)
  expect(d['resume_gateway_url']).toBe(`ws://emulator.internal:${port}/gateway`)
})

it('attack/335 no token is in what the control plane shows of the gateway, or in the logs', async () => {
  const client = connect()
  await identify(client, emulator, GUILDS | GUILD_MESSAGES | MESSAGE_CONTENT)
  const { botToken, id } = emulator.application
  await fetch(`${emulator.url}/api/v10/applications/${id}/commands`, {
    method: 'POST',
    headers: { authorization: `Bot ${botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'blep', description: 'Send a photo' }),
  })
  const used = emulator.interactions.use({ as: 'ada', command: 'blep' })
  const { d } = await client.event('INTERACTION_CREATE')
  const token = String(d['token'])
  const callback = `${emulator.url}/api/v10/interactions/${String(d['id'])}/${token}/callback`
  const headers = { 'content-type': 'application/json' }
  await fetch(callback, {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: 4, data: { content: 'hi' } }),
  })
  await used
  const read = async (path: string) =>
    (
      await fetch(`${emulator.url}/_emulator/${path}`, {
        headers: { authorization: `Bearer ${emulator.controlToken}` },
      })
    ).text()
  const [session] = emulator.gateway.sessions()
  const shown = await Promise.all(
    ['gateway', `gateway/${session?.id}/events`, 'interactions', 'requests', 'overview'].map(read),
  )
  expect(shown.join()).toContain('INTERACTION_CREATE')
  expect(shown.filter((text) => text.includes(token) || text.includes(botToken))).toEqual([])
})

it('attack/336 a bot that does not read is cut off, and what it misses waits within a bound', async () => {
  const { hostname, port } = new URL(emulator.url)
  const reader = connect()
  await identify(reader, emulator, GUILD_MESSAGES | MESSAGE_CONTENT)
  // A socket of its own: nothing takes what arrives.
  const slow = connectSocket({ host: hostname, port: Number(port) })
  const closed = new Promise((resolve) => slow.once('close', resolve))
  slow.on('error', () => undefined)
  slow.pause()
  const key = Buffer.from('0123456789abcdef').toString('base64')
  slow.write(
    [
      'GET /gateway HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${key}`,
      'Sec-WebSocket-Version: 13',
      '',
      '',
    ].join('\r\n'),
  )
  slow.write(
    maskedText({
      op: 2,
      d: { token: emulator.application.botToken, intents: GUILD_MESSAGES | MESSAGE_CONTENT },
    }),
  )
  await expect.poll(() => emulator.gateway.sessions().length).toBe(2)
  const connected = () => emulator.gateway.sessions().filter((session) => session.connected).length
  let sent = 0
  while (connected() === 2 && sent < 20_000) {
    emulator.interactions.say({ as: 'ada', content: 'x'.repeat(2000) })
    // The other bot reads meanwhile.
    if (++sent % 200 === 0) await settled(reader)
  }
  expect(connected()).toBe(1)
  slow.resume()
  await closed
  await settled(reader)
  expect(reader.events.filter((name) => name === 'MESSAGE_CREATE')).toHaveLength(sent)
  for (const { id } of emulator.gateway.sessions())
    expect(emulator.gateway.events(id).length).toBeLessThanOrEqual(250)
})

/** RFC 6455 section 5.3, with a mask of zeros. */
function maskedText(frame: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(frame))
  return Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0]), text])
}
