/** Bots of public libraries, unchanged, with every kind of command and component. */
import { createEmulator } from 'foyer-emulator'
import { expect, test } from 'vitest'
import type { StartBot } from '../../support/foreign-clients/bot-commands'
import { startCoreBot } from '../../support/foreign-clients/core-bot'
import { startDiscordJsBot } from '../../support/foreign-clients/discord-js-bot'
import { startOceanicBot } from '../../support/foreign-clients/oceanic-bot'
import {
  startSlashCreateGatewayBot,
  startSlashCreateHttpBot,
} from '../../support/foreign-clients/slash-create-bot'
import { EXPECTED, useEveryCommand } from '../../support/foreign-clients/use-every-command'

const BOTS: Record<string, StartBot> = {
  'discord.js': startDiscordJsBot,
  '@discordjs/core': startCoreBot,
  'oceanic.js': startOceanicBot,
  'slash-create by the gateway': startSlashCreateGatewayBot,
  'slash-create by HTTP': startSlashCreateHttpBot,
}

test.each(Object.entries(BOTS))('a bot of %s answers everything that a player does', async (_name, start) => {
  const emulator = await createEmulator({
    commands: { globalDelay: 0 },
    seed: { application: { activities: false } },
  })
  try {
    const bot = await start(emulator)
    const seen = await useEveryCommand(emulator).catch((error: unknown) => error)
    // Its own error says more than what a player saw.
    await bot.stop()
    expect(seen).toEqual(EXPECTED)
  } finally {
    await emulator.close()
  }
})
