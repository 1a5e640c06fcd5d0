/** The gateway's protocol, held against the public description of its numbers. */
import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
} from 'discord-api-types/v10'
import { createEmulator, type Emulator, type EmulatorOptions } from 'foyer-emulator'
import { afterEach, describe, expect, test } from 'vitest'
import { gatewayEventNames } from '../../support/emulator-internals'
import { GatewayClient, GUILDS, identify, PROPERTIES, settled } from '../support/gateway-client'

let emulator: Emulator
const clients: GatewayClient[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await emulator.close()
})

async function start(options: EmulatorOptions = {}): Promise<void> {
  emulator = await createEmulator(options)
}

function connect(query = ''): GatewayClient {
  const client = new GatewayClient(emulator.gateway.url + query)
  clients.push(client)
  return client
}

/** A connection that has received HELLO. */
async function greeted(): Promise<GatewayClient> {
  const client = connect()
  await client.opcode(10)
  return client
}

async function identified(): Promise<GatewayClient> {
  const client = connect()
  await identify(client, emulator)
  return client
}

const identifyWith = (fields: Record<string, unknown>) => ({
  op: 2,
  d: { token: emulator.application.botToken, intents: GUILDS, properties: PROPERTIES, ...fields },
})

const numbersOf = (names: object): number[] =>
  [...new Set(Object.values(names).filter((value) => typeof value === 'number'))].toSorted((a, b) => a - b)

/** The cause for which the gateway ends a connection with each code; a sentence for a code whose cause cannot occur. */
const CLOSINGS: Record<number, string | (() => Promise<GatewayClient>)> = {
  4000: async () => {
    const first = await identified()
    const second = await greeted()
    const [session] = emulator.gateway.sessions()
    const { botToken: token } = emulator.application
    second.send({ op: 6, d: { token, session_id: session?.id, seq: first.sequence } })
    return first
  },
  4001: async () => send(await greeted(), { op: 0, t: 'READY', d: {} }),
  4002: async () => send(await greeted(), 'no JSON'),
  4003: async () => send(await greeted(), { op: 3, d: {} }),
  4004: async () => send(await greeted(), identifyWith({ token: 'another' })),
  4005: async () => send(await identified(), identifyWith({})),
  4007: async () => {
    const client = await identified()
    const [session] = emulator.gateway.sessions()
    const { botToken: token } = emulator.application
    return send(await greeted(), { op: 6, d: { token, session_id: session?.id, seq: client.sequence + 100 } })
  },
  4008: async () => {
    const client = await identified()
    for (let count = 0; count < 120; count++) client.send({ op: 3, d: {} })
    return client
  },
  4009: async () => {
    const client = await identified()
    emulator.advance(62_000)
    await client.opcode(1)
    emulator.advance(10_001)
    return client
  },
  4010: async () => send(await greeted(), identifyWith({ shard: [1, 2] })),
  4011: 'the emulator has one shard, and no application here has more guilds than that takes',
  4012: async () => connect('?v=9&encoding=json'),
  4013: async () => send(await greeted(), identifyWith({ intents: 1 << 30 })),
  4014: async () => send(await greeted(), identifyWith({ intents: GatewayIntentBits.MessageContent })),
}

function send(client: GatewayClient, frame: unknown): GatewayClient {
  client.send(frame)
  return client
}

describe('a close code', () => {
  test('of the public list is used, or its cause cannot occur here', async () => {
    await start()
    expect(Object.keys(CLOSINGS).map(Number)).toEqual(numbersOf(GatewayCloseCodes))
  })

  const used = Object.entries(CLOSINGS).flatMap(([code, cause]) =>
    typeof cause === 'string' ? [] : [{ code: Number(code), cause }],
  )
  test.each(used)('$code ends a connection, with a sentence', async ({ code, cause }) => {
    await start({ seed: { application: { privilegedIntents: [] } } })
    const client = await cause()
    const closed = await client.closed
    expect(closed.code).toBe(code)
    expect(closed.reason).not.toBe('')
  })
})

/** The gateway's answer to each opcode before and after IDENTIFY: a close code, or `open`. */
const OPCODES: Record<number, [before: number | 'open', after: number | 'open']> = {
  0: [4001, 4001],
  1: ['open', 'open'],
  2: [4002, 4005],
  3: [4003, 'open'],
  4: [4003, 'open'],
  6: [4002, 4005],
  7: [4001, 4001],
  8: [4003, 4002],
  9: [4001, 4001],
  10: [4001, 4001],
  11: [4001, 4001],
  31: [4003, 'open'],
  43: [4003, 'open'],
}

test('every opcode of the public list, with empty data, is ignored, answered or refused as decided', async () => {
  await start()
  const found: typeof OPCODES = {}
  for (const op of numbersOf(GatewayOpcodes)) {
    const outcomes = await Promise.all(
      [await greeted(), await identified()].map(async (client) => {
        client.send({ op, d: {} })
        client.send({ op: 1, d: null })
        return Promise.race([
          client.closed.then(({ code }) => code),
          client.opcode(11).then(
            () => 'open' as const,
            async () => (await client.closed).code,
          ),
        ])
      }),
    )
    found[op] = [outcomes[0] ?? 'open', outcomes[1] ?? 'open']
  }
  expect(found).toEqual(OPCODES)
})

const REFUSED = { GUILD_MEMBERS: 4014, GUILD_PRESENCES: 4014, MESSAGE_CONTENT: 4014 }

describe('intents', () => {
  const bits = numbersOf(GatewayIntentBits)

  test('of the public list are accepted, together and one by one', async () => {
    await start()
    const all = bits.reduce((sum, bit) => sum | bit, 0)
    for (const intents of [...bits, all, 0]) {
      const client = connect()
      await identify(client, emulator, intents)
    }
    expect(emulator.gateway.sessions().map(({ intents }) => intents.length)).toEqual([
      ...bits.map(() => 1),
      bits.length,
      0,
    ])
  })

  test('with any other bit, a fraction or a text are refused', async () => {
    await start()
    const codes: number[] = []
    const others = Array.from({ length: 31 }, (_, index) => 2 ** index).filter((bit) => !bits.includes(bit))
    for (const intents of [...others, 2 ** 32, -1, 0.5, '1', null, undefined]) {
      const client = await greeted()
      client.send(identifyWith({ intents }))
      codes.push((await client.closed).code)
    }
    expect(codes).toEqual(codes.map(() => 4013))
    expect(emulator.gateway.sessions()).toEqual([])
  })

  test.each(['GUILD_MEMBERS', 'GUILD_PRESENCES', 'MESSAGE_CONTENT'] as const)(
    'that are privileged need the grant of %s',
    async (name) => {
      const needed = {
        GUILD_MEMBERS: GatewayIntentBits.GuildMembers,
        GUILD_PRESENCES: GatewayIntentBits.GuildPresences,
        MESSAGE_CONTENT: GatewayIntentBits.MessageContent,
      }
      await start({ seed: { application: { privilegedIntents: [name] } } })
      const outcomes: Record<string, unknown> = {}
      for (const [other, intents] of Object.entries(needed)) {
        const client = await greeted()
        client.send(identifyWith({ intents }))
        outcomes[other] = await Promise.race([
          client.event('READY').then(
            ({ t }) => t,
            async () => (await client.closed).code,
          ),
          client.closed.then(({ code }) => code),
        ])
      }
      expect(outcomes).toEqual({ ...REFUSED, [name]: 'READY' })
    },
  )
})

test('every event that a bot may receive has a public name', async () => {
  await start()
  const names: string[] = Object.values(GatewayDispatchEvents)
  expect(gatewayEventNames.filter((name) => !names.includes(name))).toEqual([])
})

test('the address comes from GET /gateway and, for the bot alone, from GET /gateway/bot', async () => {
  await start()
  const read = (path: string, authorization = '') =>
    fetch(`${emulator.url}/api/v10${path}`, { headers: authorization === '' ? {} : { authorization } })
  expect(await (await read('/gateway')).json()).toEqual({ url: emulator.gateway.url })
  expect((await read('/gateway/bot')).status).toBe(401)
  await identified()
  const bot = await read('/gateway/bot', `Bot ${emulator.application.botToken}`)
  expect(await bot.json()).toEqual({
    url: emulator.gateway.url,
    shards: 1,
    session_start_limit: {
      total: 1000,
      remaining: 999,
      reset_after: expect.any(Number),
      max_concurrency: 1,
    },
  })
})

test('a token is taken with and without the word of the header, and the address with a slash', async () => {
  await start()
  const client = new GatewayClient(`${emulator.gateway.url}/?v=10&encoding=json`)
  clients.push(client)
  await client.opcode(10)
  client.send(identifyWith({ token: `Bot ${emulator.application.botToken}` }))
  await client.event('READY')
  await settled(client)
  expect(emulator.gateway.sessions()).toHaveLength(1)
})
