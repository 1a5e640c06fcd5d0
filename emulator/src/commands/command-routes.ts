/** The endpoints of commands, global ones and those of a guild. */
import { Hono, type Context } from 'hono'
import type { Provider } from 'oidc-provider'
import type { Service } from '../service.js'
import { checkId, readFlag, readJson } from './body.js'
import { checkApplication, checkCommandScope, identify, type Caller } from './caller.js'
import { payloadOf, type Command, type Place } from './definition.js'
import { localize, requesterLocale } from './locale.js'
import { guildWithApplication } from './places.js'
import { methodNotAllowed } from './refusal.js'
import type { Registry } from './registry.js'

const roots = ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands']

interface Request {
  caller: Caller
  place: Place
  commandId: string
}

type Handle = (c: Context, request: Request) => Response | Promise<Response>

export function createCommandRoutes(service: Service, provider: Provider, registry: Registry): Hono {
  const routes = new Hono()
  const opened = (use: 'read' | 'write', handle: Handle) => async (c: Context) => handle(c, await open(c, { service, provider, use }))
  for (const root of roots) {
    routes.get(
      root,
      opened('read', (c, { place, caller }) => list(c, registry.list(place), caller)),
    )
    routes.post(
      root,
      opened('write', async (c, { place }) => {
        const { command, isNew } = registry.create(place, await readJson(c))
        return c.json(payloadOf(command), isNew ? 201 : 200)
      }),
    )
    routes.put(
      root,
      opened('write', async (c, { place }) => c.json(registry.overwrite(place, await readJson(c)).map(payloadOf))),
    )
    routes.get(
      `${root}/:command`,
      opened('read', (c, { place, commandId }) => c.json(payloadOf(registry.get(place, commandId)))),
    )
    routes.patch(
      `${root}/:command`,
      opened('write', async (c, { place, commandId }) => {
        registry.get(place, commandId)
        return c.json(payloadOf(registry.edit(place, commandId, await readJson(c))))
      }),
    )
    routes.delete(
      `${root}/:command`,
      opened('write', (c, { place, commandId }) => {
        registry.delete(place, commandId)
        return c.body(null, 204)
      }),
    )
    for (const path of [root, `${root}/:command`])
      routes.all(path, () => {
        throw methodNotAllowed('this address has no such method')
      })
  }
  return routes
}

/** Who is it, may they, and is there such a place: in this order, before anything is read. */
async function open(
  c: Context,
  { service, provider, use }: { service: Service; provider: Provider; use: 'read' | 'write' },
): Promise<Request> {
  const caller = await identify(c, service, provider)
  const applicationId = checkId(c.req.param('application') ?? '', 'application_id')
  checkApplication(applicationId, service)
  checkCommandScope(caller, use, service)
  const guild = c.req.param('guild')
  if (guild !== undefined) guildWithApplication(checkId(guild, 'guild_id'), service)
  const command = c.req.param('command')
  return { caller, place: { applicationId, guildId: guild }, commandId: command === undefined ? '' : checkId(command, 'command_id') }
}

function list(c: Context, commands: Command[], caller: Caller): Response {
  const payloads = commands.map(payloadOf)
  if (readFlag(c, 'with_localizations')) return c.json(payloads)
  const locale = requesterLocale(c, caller)
  return c.json(payloads.map((payload) => localize(payload, locale)))
}
