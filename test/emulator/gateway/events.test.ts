/** Events of the gateway: each with what causes it, and who gets it. */
import { Client, Events } from '../../support/foreign-clients/discord-js'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gatewayEventNames } from '../../support/emulator-internals'
import { asPlayer, Caller, fields } from '../commands/command-client'
import { buy } from '../support/buy'
import {
  DIRECT_MESSAGES,
  GatewayClient,
  GUILD_MESSAGES,
  GUILDS,
  identify,
  MESSAGE_CONTENT,
  settled,
} from '../support/gateway-client'

const [tavern, speedrun] = ['319560327719026709', '760011223344556671']
const everything = GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES | MESSAGE_CONTENT

let emulator: Emulator
let bot: Caller
const clients: GatewayClient[] = []

beforeEach(async () => {
  const seed = {
    guilds: [{ id: speedrun, name: 'Speedrunners', installed: false, members: [] }],
  }
  emulator = await createEmulator({
    seed,
    limits: 'off',
    commands: { globalDelay: 0 },
    activityUrl: 'http://localhost:9/',
    activityPort: 0,
  })
  bot = new Caller(emulator)
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await emulator.close()
})

async function connect(intents = everything): Promise<GatewayClient> {
  const client = new GatewayClient(emulator.gateway.url)
  clients.push(client)
  await identify(client, emulator, intents)
  return client
}

const register = async () =>
  String(fields((await bot.post('/commands', { name: 'blep', description: 'Send a photo' })).body)['id'])

const install = (scope: string) =>
  emulator.authorize(
    `${emulator.url}/oauth2/authorize?${new URLSearchParams({ client_id: emulator.application.id, scope, guild_id: speedrun })}`,
    { as: 'ada' },
  )

const directChannel = () =>
  emulator.interactions.channels('ada').find(({ name }) => name === emulator.application.name)?.id

/** A bot's answer to a command with a message. */
async function reply(client: GatewayClient, data: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { d } = await client.event('INTERACTION_CREATE')
  const path = `${emulator.url}/api/v10/interactions/${String(d['id'])}/${String(d['token'])}/callback`
  const headers = { 'content-type': 'application/json' }
  await fetch(path, { method: 'POST', headers, body: JSON.stringify({ type: 4, data }) })
  return d
}

async function useBlep(client: GatewayClient, data: Record<string, unknown> = { content: 'blep!' }) {
  await register()
  const [outcome, interaction] = await Promise.all([
    emulator.interactions.use({ as: 'ada', command: 'blep' }),
    reply(client, data),
  ])
  return { outcome, interaction }
}

const webhook = (interaction: Record<string, unknown>, method: string, body?: object) =>
  fetch(
    `${emulator.url}/api/v10/webhooks/${emulator.application.id}/${String(interaction['token'])}/messages/@original`,
    {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    },
  )

const contentOf = async (client: GatewayClient) => (await client.event('MESSAGE_CREATE')).d['content']

/** Where the messages were that a bot got: ids of guilds. */
const places = ({ frames }: GatewayClient) =>
  frames.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => d['guild_id'])

/** The cause of each event; a sentence for an event whose cause the emulator does not have. */
const CAUSES: Record<string, string | ((client: GatewayClient) => Promise<unknown>)> = {
  INTERACTION_CREATE: (client) => useBlep(client),
  APPLICATION_COMMAND_PERMISSIONS_UPDATE: async () => {
    const id = await register()
    const player = await asPlayer(emulator, 'bruno')
    await player.put(`/guilds/${tavern}/commands/${id}/permissions`, { permissions: [] })
  },
  ENTITLEMENT_CREATE: () => buy(emulator, { as: 'ada', sku: '1288100000000000001' }),
  ENTITLEMENT_UPDATE: 'consuming a purchase is not emulated',
  ENTITLEMENT_DELETE: 'deleting a purchase is not emulated',
  MESSAGE_CREATE: async () => emulator.interactions.say({ as: 'ada', content: 'hello' }),
  MESSAGE_UPDATE: async (client) => {
    const { interaction } = await useBlep(client)
    await webhook(interaction, 'PATCH', { content: 'edited' })
  },
  MESSAGE_DELETE: async (client) => {
    const { interaction } = await useBlep(client)
    await webhook(interaction, 'DELETE')
  },
  GUILD_CREATE: () => install('bot applications.commands'),
  GUILD_DELETE: async (client) => {
    await install('bot applications.commands')
    await client.next(({ t, d }) => t === 'GUILD_CREATE' && d['id'] === speedrun)
    emulator.reset()
  },
}

describe('an event', () => {
  test('has a cause, or its cause is not emulated', () => {
    expect(gatewayEventNames.filter((name) => !Object.hasOwn(CAUSES, name))).toEqual([])
  })

  const caused = Object.entries(CAUSES).flatMap(([name, cause]) =>
    typeof cause === 'string' ? [] : [{ name, cause }],
  )
  test.each(caused)('$name reaches every bot that asked for it', async ({ name, cause }) => {
    const [client, other] = await Promise.all([connect(), connect()])
    const before = client.events.filter((each) => each === name).length
    await cause(client)
    for (const each of [client, other]) {
      await settled(each)
      expect(each.events.filter((event) => event === name).length).toBeGreaterThan(
        each === client ? before : 0,
      )
    }
  })
})

test('the change of permissions names application, guild, command and permissions', async () => {
  const client = await connect(0)
  const id = await register()
  const player = await asPlayer(emulator, 'bruno')
  const permissions = [{ id: tavern, type: 1, permission: false }]
  const { status } = await player.put(`/guilds/${tavern}/commands/${id}/permissions`, { permissions })
  expect(status).toBe(200)
  expect((await client.event('APPLICATION_COMMAND_PERMISSIONS_UPDATE')).d).toEqual({
    id,
    application_id: emulator.application.id,
    guild_id: tavern,
    permissions,
  })
})

test('an unchanged bot of discord.js hears of the change of permissions', async () => {
  const client = new Client({ intents: [], rest: { api: `${emulator.url}/api` } })
  try {
    const heard = once(client, Events.ApplicationCommandPermissionsUpdate)
    await client.login(emulator.application.botToken)
    const id = await register()
    const player = await asPlayer(emulator, 'bruno')
    const permissions = [{ id: tavern, type: 1, permission: false }]
    await player.put(`/guilds/${tavern}/commands/${id}/permissions`, { permissions })
    expect(await heard).toEqual([
      { id, guildId: tavern, applicationId: emulator.application.id, permissions },
    ])
  } finally {
    await client.destroy()
  }
})

describe('an interaction', () => {
  test('comes by the gateway, and the answer by the callback', async () => {
    const client = await connect(0)
    const { outcome, interaction } = await useBlep(client)
    expect(outcome).toMatchObject({ kind: 'message', message: { content: 'blep!' } })
    expect(interaction).toMatchObject({
      type: 2,
      data: { name: 'blep' },
      member: { user: { username: 'ada' } },
    })
    const [entry] = emulator.interactions.list()
    expect(entry).toMatchObject({ subject: '/blep', calls: [{ method: 'POST', status: 204 }] })
    expect(entry?.request?.body).not.toContain(interaction['token'])
  })

  test('goes to nobody if there is neither an endpoint nor a bot', async () => {
    await register()
    const outcome = await emulator.interactions.use({ as: 'ada', command: 'blep' })
    expect(outcome).toMatchObject({ kind: 'failed', because: expect.stringContaining('start the bot') })
  })

  test('does not come by the gateway once an endpoint is set', async () => {
    const client = await connect()
    await register()
    await expect(emulator.interactions.connect('http://127.0.0.1:9/')).rejects.toMatchObject({
      code: 'endpoint_refused',
    })
    await emulator.close()
    emulator = await createEmulator({
      interactionsUrl: 'http://127.0.0.1:9/',
      commands: { globalDelay: 0 },
    })
    bot = new Caller(emulator)
    const second = await connect()
    await register()
    expect((await emulator.interactions.use({ as: 'ada', command: 'blep' })).kind).toBe('failed')
    await settled(second)
    expect([...client.events, ...second.events]).not.toContain('INTERACTION_CREATE')
  })
})

test('components come back with what strict clients require of them', async () => {
  const client = await connect(0)
  const picture = { media: { url: 'https://game.example/a.png' } }
  const text = { type: 10, content: 'Hello' }
  const inContainer = [
    { type: 9, components: [text], accessory: { type: 11, ...picture } },
    { type: 12, items: [picture] },
    { type: 14 },
    { type: 1, components: [{ type: 5, custom_id: 'who' }] },
  ]
  const { outcome } = await useBlep(client, {
    flags: 32_768,
    components: [{ type: 17, components: inContainer }],
  })
  const url = 'https://game.example/a.png'
  const shown = { media: { id: expect.any(String), url, proxy_url: url }, description: null, spoiler: false }
  expect(outcome.message?.components).toMatchObject([
    {
      accent_color: null,
      spoiler: false,
      components: [
        { accessory: shown },
        { items: [shown] },
        { divider: true, spacing: 1 },
        { components: [{ min_values: 1, max_values: 1 }] },
      ],
    },
  ])
})

describe('a message', () => {
  test('has its content only for bots with the privileged intent', async () => {
    const [plain, full] = await Promise.all([connect(GUILD_MESSAGES), connect(everything)])
    emulator.interactions.say({ as: 'ada', content: 'a secret' })
    expect(await contentOf(plain)).toBe('')
    expect(await contentOf(full)).toBe('a secret')
  })

  test('that mentions the bot, is its own or is direct shows its content to every bot', async () => {
    const client = await connect(GUILD_MESSAGES | DIRECT_MESSAGES)
    emulator.interactions.say({ as: 'ada', content: `<@${emulator.application.id}> hi` })
    expect(await contentOf(client)).toContain('hi')
    emulator.interactions.say({ as: 'ada', content: 'only us', channel: directChannel() })
    expect(await contentOf(client)).toBe('only us')
    await useBlep(client)
    expect(await contentOf(client)).toBe('blep!')
  })

  test('comes to bots that asked for its kind', async () => {
    const [guilds, direct] = await Promise.all([connect(GUILD_MESSAGES), connect(DIRECT_MESSAGES)])
    emulator.interactions.say({ as: 'ada', content: 'in a guild' })
    emulator.interactions.say({ as: 'ada', content: 'direct', channel: directChannel() })
    await Promise.all([settled(guilds), settled(direct)])
    expect(places(guilds)).toEqual([tavern])
    expect(places(direct)).toEqual([undefined])
  })

  test('between two players, or for one player only, comes to no bot', async () => {
    const client = await connect()
    const between = emulator.interactions.channels('ada').findLast(({ kind }) => kind === 'direct')?.id
    emulator.interactions.say({ as: 'ada', content: 'psst', channel: between })
    await useBlep(client, { content: 'only you', flags: 64 })
    await settled(client)
    expect(client.events).not.toContain('MESSAGE_CREATE')
  })
})

describe('a guild', () => {
  test('comes with roles, channels, threads and the bot, for bots with the intent alone', async () => {
    const [client, blind] = await Promise.all([connect(), connect(GUILD_MESSAGES)])
    const { d } = await client.next(({ t, d: { id } }) => t === 'GUILD_CREATE' && id === tavern)
    expect(d).toMatchObject({
      name: 'The Tavern',
      unavailable: false,
      members: [{ user: { id: emulator.application.id } }],
    })
    expect((d['roles'] as { id: string }[])[0]?.id).toBe(tavern)
    const listed = await bot.raw(`/guilds/${tavern}/channels`, {
      headers: { authorization: bot.authorization },
    })
    expect(d['channels']).toEqual(listed.body)
    await settled(blind)
    expect(blind.events).toEqual(['READY'])
  })

  test('that gets only the commands does not get the bot', async () => {
    const client = await connect()
    await settled(client)
    const before = client.events.length
    await install('applications.commands')
    await settled(client)
    expect(client.events.length).toBe(before)
  })

  test('lists its members to a bot that asks', async () => {
    const client = await connect()
    const [ada] = emulator.users
    client.send({ op: 8, d: { guild_id: tavern, query: '', limit: 2, nonce: 'all' } })
    const all = (await client.event('GUILD_MEMBERS_CHUNK')).d
    expect(all).toMatchObject({ guild_id: tavern, chunk_count: 1, nonce: 'all' })
    expect(all['members']).toHaveLength(2)
    client.send({ op: 8, d: { guild_id: tavern, user_ids: [ada?.id, '1'] } })
    expect((await client.event('GUILD_MEMBERS_CHUNK')).d).toMatchObject({
      members: [{ user: { username: 'ada' } }],
      not_found: ['1'],
    })
  })
})
