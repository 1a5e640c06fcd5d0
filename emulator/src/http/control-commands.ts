/** The control plane's side of commands and lobbies: what guilds see, using a command as a member, and knobs. */
import { Hono, type Context } from 'hono'
import { readKnobs } from '../commands/knobs.js'
import { payloadOf } from '../commands/definition.js'
import { useCommand, visibleCommands } from '../commands/guild-view.js'
import { answerRefusal, Refusal } from '../commands/refusal.js'
import { fieldsOf, textOf } from '../decode.js'
import { readLobbyKnobs } from '../lobbies/knobs.js'
import type { Service } from '../service.js'

export function createCommandControl(service: Service): Hono {
  const routes = new Hono()
  routes.get('/_emulator/guilds/:guild/commands', (c) => {
    const by = { userId: playerId(c.req.query('as'), service), channelId: c.req.query('channel') }
    return c.json(visibleCommands(c.req.param('guild'), by, service).map(payloadOf))
  })
  routes.post('/_emulator/guilds/:guild/commands/:command/use', async (c) => {
    const { as, channel, version } = await bodyOf(c)
    const given = textOf(version)
    const by = { userId: playerId(textOf(as), service), channelId: textOf(channel), ...(given === undefined ? {} : { version: given }) }
    return c.json(payloadOf(useCommand(c.req.param('guild'), c.req.param('command'), { by, service })))
  })
  routes.get('/_emulator/commands', (c) => c.json(service.knobs))
  routes.patch('/_emulator/commands', async (c) => {
    const knobs = readKnobs(await bodyOf(c))
    if (typeof knobs === 'string') return c.json({ code: 'bad_request', message: knobs }, 400)
    return c.json(Object.assign(service.knobs, knobs))
  })
  routes.get('/_emulator/lobbies', (c) => c.json(service.lobbyKnobs))
  routes.patch('/_emulator/lobbies', async (c) => {
    const knobs = readLobbyKnobs(await bodyOf(c))
    if (typeof knobs === 'string') return c.json({ code: 'bad_request', message: knobs }, 400)
    return c.json(Object.assign(service.lobbyKnobs, knobs))
  })
  routes.onError((error, c) => {
    if (error instanceof Refusal) return answerRefusal(c, error)
    throw error
  })
  return routes
}

function playerId(as: string | undefined, { seed }: Service): string | undefined {
  return seed.players.find(({ id, username }) => id === as || username === as)?.id ?? as
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  return fieldsOf(await c.req.json().catch(() => undefined))
}
