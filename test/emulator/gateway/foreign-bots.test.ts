/** Bots of public libraries, unchanged, with every kind of command and component. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { describe, expect, test } from 'vitest'
import type { StartBot } from '../../support/foreign-clients/bot-commands'
import { startCoreBot } from '../../support/foreign-clients/core-bot'
import { startDiscordJsBot, startDiscordJsHttpBot } from '../../support/foreign-clients/discord-js-bot'
import { startOceanicBot } from '../../support/foreign-clients/oceanic-bot'
import {
  startSlashCreateGatewayBot,
  startSlashCreateHttpBot,
} from '../../support/foreign-clients/slash-create-bot'
import { EXPECTED, useEveryCommand } from '../../support/foreign-clients/use-every-command'

/** A role of the usual seed. */
const REGULAR = '319561002948493345'

const BOTS: Record<string, StartBot> = {
  'discord.js by the gateway': startDiscordJsBot,
  'discord.js by HTTP': startDiscordJsHttpBot,
  '@discordjs/core': startCoreBot,
  'oceanic.js': startOceanicBot,
  'slash-create by the gateway': startSlashCreateGatewayBot,
  'slash-create by HTTP': startSlashCreateHttpBot,
}

/** Starts the bot at an emulator without Activities, whose entry point it would have to keep. */
async function withBot<Seen>(start: StartBot, use: (emulator: Emulator) => Promise<Seen>): Promise<unknown> {
  const emulator = await createEmulator({
    commands: { globalDelay: 0 },
    seed: { application: { activities: false } },
  })
  try {
    const bot = await start(emulator)
    const seen = await use(emulator).catch((error: unknown) => error)
    // Its own error says more than what a player saw.
    await bot.stop()
    return seen
  } finally {
    await emulator.close()
  }
}

test.each(Object.entries(BOTS))('a bot of %s answers everything that a player does', async (_name, start) => {
  expect(await withBot(start, useEveryCommand)).toEqual(EXPECTED)
})

describe.each([
  ['the gateway', startDiscordJsBot],
  ['HTTP', startDiscordJsHttpBot],
])('a bot of discord.js by %s', (_name, start) => {
  test('reads what a player picks in menus of roles, of mentions and of channels', async () => {
    const picked = await withBot(start, async ({ interactions, users }) => {
      const general = interactions.channels('ada').find(({ name }) => name === 'general')?.id ?? ''
      const bruno = users[1]?.id ?? ''
      const menus = { roles: [REGULAR], anyone: [bruno], channels: [general] }
      const seen: unknown[] = []
      const { message } = await interactions.use({ as: 'ada', command: 'pick' })
      for (const [component, values] of Object.entries(menus)) {
        const press = { as: 'ada', message: message?.id ?? '', component, values }
        seen.push((await interactions.press(press)).message?.content)
      }
      return seen
    })
    expect(picked).toEqual(['picked Regular', 'picked bruno', 'picked general'])
  })

  test('reads every kind of field of a form', async () => {
    const read = await withBot(start, async ({ interactions, users }) => {
      const [ada = '', bruno = ''] = users.map(({ id }) => id)
      const general = interactions.channels('ada').find(({ name }) => name === 'general')?.id ?? ''
      const file = { filename: 'me.txt', content_type: 'text/plain', data: 'bWU=' }
      const entries = [
        { name: 'Ada', about: 'Plays chess', maps: ['moon', 'moor'], opponent: [bruno] },
        { role: [REGULAR], referee: [ada], channel: [general], level: 'hard', days: ['fri', 'sun'] },
        { news: false, proof: [file] },
      ]
      const seen: unknown[] = []
      for (const [value, values] of entries.entries()) {
        const options = [{ name: 'n', value }]
        const { modal, because } = await interactions.use({ as: 'ada', command: 'forms', options })
        if (modal === undefined) throw new Error(because)
        const answer = await interactions.submit({ as: 'ada', modal: modal.id, values })
        seen.push(answer.message?.content ?? answer.because)
      }
      return seen
    })
    expect(read).toEqual([
      'Ada; Plays chess; moon,moor; bruno',
      'Regular; ada; general; hard; fri,sun',
      'false; me.txt',
    ])
  })
})
