/** 1,000 events over sockets that break at random places: an unchanged discord.js and a raw client get each once, in order. */
import { Client, Events, GatewayIntentBits } from '../support/foreign-clients/discord-js'
import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { expect, test } from 'vitest'
import {
  type Frame,
  GatewayClient,
  GUILD_MESSAGES,
  GUILDS,
  MESSAGE_CONTENT,
  PROPERTIES,
} from '../emulator/support/gateway-client'
import { type CuttingLine, openCuttingLine } from '../support/cutting-line'

const EVENTS = 1000
/** Events between two looks at the bots, and how many a bot may be behind then: together fewer than a session keeps. */
const [AT_ONCE, BEHIND] = [60, 150]
/** More than a session keeps. */
const TOO_MANY = 300
const SEED = Number(process.env['FUZZ_SEED'] ?? 1117)
const PATIENCE = { timeout: 30_000, interval: 5 }

const numbers = (seed: number, min: number, max: number) =>
  fc.sample(fc.integer({ min, max }), { seed, numRuns: 2000 })

interface Bot {
  readonly line: CuttingLine
  /** Contents of the messages that came, in order. */
  readonly received: string[]
  /** Sessions that it began. */
  begun: number
  resumed: number
  stop(): Promise<void>
}

type Start = (emulator: Emulator, line: CuttingLine) => Promise<Bot>

const startDiscordJs: Start = async ({ application }, line) => {
  const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits
  const client = new Client({
    intents: [Guilds, GuildMessages, MessageContent],
    rest: { api: `${line.url}/api` },
  })
  const errors: unknown[] = []
  const bot: Bot = {
    line,
    received: [],
    begun: 0,
    resumed: 0,
    async stop() {
      await client.destroy()
      expect(errors).toEqual([])
    },
  }
  client.on(Events.Error, (error) => errors.push(error))
  client.on(Events.MessageCreate, ({ content }) => bot.received.push(content))
  client.on(Events.ShardReady, () => (bot.begun += 1))
  client.on(Events.ShardResume, () => (bot.resumed += 1))
  await client.login(application.botToken)
  return bot
}

/** Does what the protocol says, and nothing more. */
const startRaw: Start = async ({ application }, line) => {
  const url = `${line.url.replace('http', 'ws')}/gateway`
  const token = application.botToken
  const identity = { token, intents: GUILDS | GUILD_MESSAGES | MESSAGE_CONTENT, properties: PROPERTIES }
  let current = new GatewayClient(url)
  const state = { session: '', sequence: 0, isStopped: false }
  const bot: Bot = {
    line,
    received: [],
    begun: 0,
    resumed: 0,
    async stop() {
      state.isStopped = true
      await current.end()
    },
  }
  const take = (client: GatewayClient, { op, s, t, d }: Frame) => {
    state.sequence = s ?? state.sequence
    if (op === 9 || (op === 10 && state.session === '')) client.send({ op: 2, d: identity })
    else if (op === 10) client.send({ op: 6, d: { token, session_id: state.session, seq: state.sequence } })
    if (t === 'READY') {
      bot.begun += 1
      state.session = String(d['session_id'])
    }
    if (t === 'RESUMED') bot.resumed += 1
    if (t === 'MESSAGE_CREATE') bot.received.push(String(d['content']))
  }
  const run = async () => {
    while (!state.isStopped) {
      const client = (current = new GatewayClient(url))
      try {
        for (;;) take(client, await client.next())
      } catch {
        // The socket broke: the next one goes on.
      }
    }
  }
  await current.end()
  void run()
  await expect.poll(() => bot.begun, PATIENCE).toBe(1)
  return bot
}

const BOTS: Record<string, Start> = { 'discord.js': startDiscordJs, 'a raw client': startRaw }

test(
  '1,000 events over sockets that break at random places come once each, in order',
  { timeout: 180_000 },
  async () => {
    const emulator = await createEmulator({ limits: 'off', seed: { application: { activities: false } } })
    const say = (content: string) => emulator.interactions.say({ as: 'ada', content })
    const bots: Bot[] = []
    try {
      for (const [index, start] of Object.values(BOTS).entries()) {
        // The first socket gets READY and the guilds: without a session there is nothing to resume.
        const budgets = [60_000, ...numbers(SEED + index, 150, 40_000)]
        bots.push(await start(emulator, await openCuttingLine(emulator.url, budgets)))
      }
      const expected: string[] = []
      const behind = () => expected.length - Math.min(...bots.map(({ received }) => received.length))
      const [sizes, waits] = [numbers(SEED, 1, AT_ONCE), numbers(SEED + 2, 0, BEHIND)]
      for (let turn = 0; expected.length < EVENTS; turn++) {
        const size = Math.min(sizes[turn] ?? 1, EVENTS - expected.length)
        for (let count = 0; count < size; count++) {
          say(String(expected.length))
          expected.push(String(expected.length))
        }
        await expect.poll(behind, PATIENCE).toBeLessThanOrEqual(waits[turn] ?? 0)
      }
      await expect.poll(behind, PATIENCE).toBe(0)
      for (const { received, begun, resumed, line } of bots) {
        expect(received).toEqual(expected)
        expect([begun, resumed > 10, line.cuts > 10]).toEqual([1, true, true])
      }
      for (const { line } of bots) line.tear()
      const missed = Array.from({ length: TOO_MANY }, (_, index) => `missed ${index}`)
      missed.forEach(say)
      for (const { line } of bots) line.mend()
      await expect.poll(() => bots.map(({ begun }) => begun), PATIENCE).toEqual([2, 2])
      say('after')
      await expect
        .poll(() => bots.map(({ received }) => received.at(-1)), PATIENCE)
        .toEqual(['after', 'after'])
      for (const { received } of bots) expect(received.slice(EVENTS)).toEqual(['after'])
    } finally {
      await Promise.all(bots.map((bot) => bot.stop()))
      await Promise.all(bots.map(({ line }) => line.close()))
      await emulator.close()
    }
  },
)
