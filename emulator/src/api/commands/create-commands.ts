/** All endpoints of application commands. */
import { methodNotAllowed } from '../../check/api-error.js'
import { isObject } from '../../foundation/values.js'
import { payloadOf, type Dictionary, type Place } from '../../model/stored-command.js'
import { Registry } from '../../service/commands/registry.js'
import { guildWithApplication } from '../../service/guilds/guild-with-application.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkApplication, checkCommandScope, requireCaller, type Caller } from '../request/caller.js'
import { checkId, readFlag, readJson } from '../request/read-json.js'
import { createPermissionRoutes } from './create-permission-routes.js'
import { Hono, type Context } from 'hono'

export function createCommands(context: EmulatorContext): Hono {
  const routes = new Hono()
  routes.route('/', createPermissionRoutes(context))
  routes.route('/', createCommandRoutes(context))
  return routes
}

const ROOTS = ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands']

interface Request {
  registry: Registry
  caller: Caller
  place: Place
  commandId: string
}

type Handle = (c: Context, request: Request) => Response | Promise<Response>

function createCommandRoutes(context: EmulatorContext): Hono {
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

const KNOWN =
  'ar bg cs da de el en-GB en-US es-419 es-ES fi fr he hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi zh-CN zh-TW'
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
    const locale = KNOWN.split(' ').find((name) => name.toLowerCase() === tag.toLowerCase())
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
