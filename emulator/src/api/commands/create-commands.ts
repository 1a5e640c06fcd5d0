/** All endpoints of application commands. */
import { LOCALES } from '../../check/locales.js'
import { isObject } from '../../foundation/values.js'
import { payloadOf, type Dictionary, type Place } from '../../model/stored-command.js'
import { Registry } from '../../service/commands/registry.js'
import { guildWithApplication } from '../../service/guilds/guild-with-application.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkApplication, checkCommandScope, requireCaller, type Caller } from '../request/caller.js'
import { ApiRoutes } from '../request/api-routes.js'
import { checkId, readFlag } from '../request/read-json.js'
import { createPermissionRoutes } from './create-permission-routes.js'
import type { Context } from 'hono'

export function createCommands(context: EmulatorContext): ApiRoutes {
  const routes = new ApiRoutes()
  routes.add(createPermissionRoutes(context))
  routes.add(createCommandRoutes(context))
  return routes
}

const ROOTS = ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands']

interface Request {
  caller: Caller
  place: Place
  commandId: string
}

function createCommandRoutes(context: EmulatorContext): ApiRoutes {
  const routes = new ApiRoutes()
  const registry = new Registry(context)
  const requestOf = (c: Context, use: 'read' | 'write'): Request => {
    const caller = requireCaller(c)
    return { caller, ...addressOf(c, { caller, use, context }) }
  }
  const created = { schema: ({ place }: Request) => registry.created(place) }
  const edited = { schema: ({ place, commandId }: Request) => registry.edited(place, commandId) }
  const overwritten = { schema: ({ place }: Request) => registry.overwritten(place) }
  for (const root of ROOTS) {
    const one = `${root}/:command`
    routes.get(root, (c) => list(c, requestOf(c, 'read'), registry))
    routes.with('POST', root, created, async (c, body) => {
      const request = requestOf(c, 'write')
      const { command, isNew } = registry.create(request.place, await body.read(request))
      return c.json(payloadOf(command), isNew ? 201 : 200)
    })
    routes.with('PUT', root, overwritten, async (c, body) => {
      const request = requestOf(c, 'write')
      return c.json(registry.overwrite(request.place, await body.read(request)).map(payloadOf))
    })
    routes.get(one, (c) => {
      const { place, commandId } = requestOf(c, 'read')
      return c.json(payloadOf(registry.get(place, commandId)))
    })
    routes.with('PATCH', one, edited, async (c, body) => {
      const request = requestOf(c, 'write')
      const { place, commandId } = request
      registry.get(place, commandId)
      return c.json(payloadOf(registry.edit(place, commandId, await body.read(request))))
    })
    routes.bare('DELETE', one, (c) => {
      const { place, commandId } = requestOf(c, 'write')
      registry.delete(place, commandId)
      return c.body(null, 204)
    })
    routes.refuseOthers(root, one)
  }
  return routes
}

/** Checks permission and existence of the place before the body is read. */
function addressOf(
  c: Context,
  { caller, use, context }: { caller: Caller; use: 'read' | 'write'; context: EmulatorContext },
) {
  const applicationId = checkId(c.req.param('application') ?? '', 'application_id')
  checkApplication(applicationId, context)
  checkCommandScope(caller, use, context)
  const guildId = c.req.param('guild')
  if (guildId !== undefined) guildWithApplication(checkId(guildId, 'guild_id'), context)
  const command = c.req.param('command')
  return {
    place: { applicationId, guildId },
    commandId: command === undefined ? '' : checkId(command, 'command_id'),
  }
}

function list(c: Context, { place, caller }: Request, registry: Registry): Response {
  const payloads = registry.list(place).map(payloadOf)
  if (readFlag(c, 'with_localizations')) return c.json(payloads)
  const locale = requesterLocale(c, caller)
  return c.json(payloads.map((payload) => localize(payload, locale)))
}

const LOCALE_OF_BOTS = 'en-US'
const LOCALIZED: Record<string, string> = {
  name_localizations: 'name_localized',
  description_localizations: 'description_localized',
}

function requesterLocale(c: Context, caller: Caller): string {
  const own = c.req.header('x-service-locale')?.trim() ?? ''
  if (own !== '') return own
  return (
    preferred(c.req.header('accept-language') ?? '') ??
    (caller.kind === 'bot' ? LOCALE_OF_BOTS : caller.player.locale)
  )
}

/** The preferred known locale; without a known one, the preferred one. */
function preferred(header: string): string | undefined {
  const wanted = header
    .split(',')
    .map(readRange)
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0)
    .sort((left, right) => right.weight - left.weight)
  for (const { tag } of wanted) {
    const locale = LOCALES.find((name) => name.toLowerCase() === tag.toLowerCase())
    if (locale !== undefined) return locale
  }
  return wanted[0]?.tag
}

function readRange(text: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 }
}

/** Replaces each dictionary of a command by its text in exactly this locale, if it has one. */
function localize(value: unknown, locale: string): unknown {
  if (Array.isArray(value)) return value.map((item) => localize(item, locale))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, content]) => localizeField([key, content], locale)),
  )
}

function localizeField([key, content]: [string, unknown], locale: string): [string, unknown][] {
  const name = LOCALIZED[key]
  if (name !== undefined)
    return isDictionary(content) && Object.hasOwn(content, locale) ? [[name, content[locale]]] : []
  return [[key, key === 'options' || key === 'choices' ? localize(content, locale) : content]]
}

function isDictionary(value: unknown): value is Dictionary {
  return isObject(value)
}
