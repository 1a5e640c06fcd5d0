/** Control plane for commands and lobbies: visible commands, use of a command by a member, and behavior settings. */
import { Hono, type Context } from 'hono'
import { readAnyJson } from '../foundation/read-any-json.js'
import { readCommandBehavior } from '../context/command-behavior.js'
import { payloadOf, type Command } from '../model/stored-command.js'
import { explainAccess, useCommand, visibleCommands } from '../commands/visible-commands.js'
import { fieldsOf, textOf } from '../foundation/type-guards.js'
import { readLobbyBehavior } from '../context/lobby-behavior.js'
import type { EmulatorContext } from '../context/emulator-context.js'

export function createCommandControl(context: EmulatorContext): Hono {
  const routes = new Hono()
  routes.get('/_emulator/guilds/:guild/commands', (c) => {
    const by = { userId: playerId(c.req.query('as'), context), channelId: c.req.query('channel') }
    return c.json(visibleCommands(c.req.param('guild'), by, context).map(payloadOf))
  })
  routes.get('/_emulator/guilds/:guild/access', (c) => {
    const by = { userId: playerId(c.req.query('as'), context), channelId: c.req.query('channel') }
    const entries = explainAccess(c.req.param('guild'), by, context)
    return c.json(
      entries.map(({ command: { id, definition, place }, because }) => ({ ...shownDefinition(id, definition, place), because })),
    )
  })
  routes.post('/_emulator/guilds/:guild/commands/:command/use', async (c) => {
    const { as, channel, version } = await bodyOf(c)
    const given = textOf(version)
    const by = { userId: playerId(textOf(as), context), channelId: textOf(channel), ...(given === undefined ? {} : { version: given }) }
    return c.json(payloadOf(useCommand(c.req.param('guild'), c.req.param('command'), { by, context })))
  })
  routes.get('/_emulator/commands', (c) => c.json(context.commandBehavior))
  routes.patch('/_emulator/commands', async (c) => {
    const settings = readCommandBehavior(await bodyOf(c))
    if (typeof settings === 'string') return c.json({ code: 'bad_request', message: settings }, 400)
    return c.json(Object.assign(context.commandBehavior, settings))
  })
  routes.get('/_emulator/lobbies', (c) => c.json(context.lobbyBehavior))
  routes.patch('/_emulator/lobbies', async (c) => {
    const settings = readLobbyBehavior(await bodyOf(c))
    if (typeof settings === 'string') return c.json({ code: 'bad_request', message: settings }, 400)
    return c.json(Object.assign(context.lobbyBehavior, settings))
  })
  return routes
}

function shownDefinition(id: string, { name, type }: Command['definition'], { guildId }: Command['place']) {
  return { id, name, type, local: guildId !== undefined }
}

function playerId(as: string | undefined, { seed }: EmulatorContext): string | undefined {
  return seed.players.find(({ id, username }) => id === as || username === as)?.id ?? as
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  return fieldsOf(await readAnyJson(c))
}
