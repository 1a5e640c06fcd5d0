/** Endpoints of global commands and guild commands. */
import { Hono, type Context } from 'hono'
import type { EmulatorContext } from '../context/emulator-context.js'
import { checkId, readFlag, readJson } from '../api/read-json.js'
import { checkApplication, checkCommandScope, requireCaller, type Caller } from '../auth/caller.js'
import { payloadOf, type Place } from '../model/stored-command.js'
import { localize, requesterLocale } from './requester-locale.js'
import { guildWithApplication } from '../guilds/guild-with-application.js'
import { methodNotAllowed } from '../api/api-error.js'
import { Registry } from './registry.js'

const ROOTS = ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands']

interface Request {
  registry: Registry
  caller: Caller
  place: Place
  commandId: string
}

type Handle = (c: Context, request: Request) => Response | Promise<Response>

export function createCommandRoutes(context: EmulatorContext): Hono {
  const routes = new Hono()
  const registry = new Registry(context)
  const opened = (use: 'read' | 'write', handle: Handle) => (c: Context) => {
    const caller = requireCaller(c)
    return handle(c, { registry, caller, ...addressOf(c, { caller, use, context }) })
  }
  for (const root of ROOTS) {
    routes.get(root, opened('read', list))
    routes.post(root, opened('write', create))
    routes.put(root, opened('write', overwrite))
    routes.get(`${root}/:command`, opened('read', get))
    routes.patch(`${root}/:command`, opened('write', edit))
    routes.delete(`${root}/:command`, opened('write', remove))
    for (const path of [root, `${root}/:command`]) routes.all(path, refuseMethod)
  }
  return routes
}

/** Checks permission and existence of the place before the body is read. */
function addressOf(c: Context, { caller, use, context }: { caller: Caller; use: 'read' | 'write'; context: EmulatorContext }) {
  const applicationId = checkId(c.req.param('application') ?? '', 'application_id')
  checkApplication(applicationId, context)
  checkCommandScope(caller, use, context)
  const guildId = c.req.param('guild')
  if (guildId !== undefined) guildWithApplication(checkId(guildId, 'guild_id'), context)
  const command = c.req.param('command')
  return { place: { applicationId, guildId }, commandId: command === undefined ? '' : checkId(command, 'command_id') }
}

function list(c: Context, { registry, place, caller }: Request): Response {
  const payloads = registry.list(place).map(payloadOf)
  if (readFlag(c, 'with_localizations')) return c.json(payloads)
  const locale = requesterLocale(c, caller)
  return c.json(payloads.map((payload) => localize(payload, locale)))
}

async function create(c: Context, { registry, place }: Request): Promise<Response> {
  const { command, isNew } = registry.create(place, await readJson(c))
  return c.json(payloadOf(command), isNew ? 201 : 200)
}

async function overwrite(c: Context, { registry, place }: Request): Promise<Response> {
  return c.json(registry.overwrite(place, await readJson(c)).map(payloadOf))
}

function get(c: Context, { registry, place, commandId }: Request): Response {
  return c.json(payloadOf(registry.get(place, commandId)))
}

async function edit(c: Context, { registry, place, commandId }: Request): Promise<Response> {
  registry.get(place, commandId)
  return c.json(payloadOf(registry.edit(place, commandId, await readJson(c))))
}

function remove(c: Context, { registry, place, commandId }: Request): Response {
  registry.delete(place, commandId)
  return c.body(null, 204)
}

function refuseMethod(): never {
  throw methodNotAllowed('this address has no such method')
}
