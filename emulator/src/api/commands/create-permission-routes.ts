/** Endpoints of the permissions of commands in a guild. */
import { PERMISSION_TYPES } from '../../model/number-names.js'
import { ApiError, methodNotAllowed, missingPermissions, unknownCommand } from '../../check/api-error.js'
import { LIMITS } from '../../check/check-names.js'
import { also, apart, flag, list, object, oneOf, snowflake, type ValueOf } from '../../check/schema.js'
import { fieldsOf } from '../../foundation/values.js'
import type { Command } from '../../model/stored-command.js'
import { accessOf } from '../../service/commands/may-invoke.js'
import { guildWithApplication } from '../../service/guilds/guild-with-application.js'
import {
  MANAGE_GUILD,
  MANAGE_ROLES,
  actorIn,
  has,
  mayManage,
  memberOf,
  type Actor,
} from '../../service/guilds/member-permissions.js'
import type { Overwrite } from '../../state/commands.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Guild, Player } from '../../state/seed/seed.js'
import {
  checkApplication,
  checkPermissionReader,
  checkPermissionWriter,
  requireCaller,
} from '../request/caller.js'
import { ApiRoutes, type BodyOf } from '../request/api-routes.js'
import { checkId } from '../request/read-json.js'
import type { Context } from 'hono'

const ROOT = '/applications/:application/guilds/:guild/commands'

interface Place {
  applicationId: string
  guild: Guild
}

export function createPermissionRoutes(context: EmulatorContext): ApiRoutes {
  const routes = new ApiRoutes()
  routes.get(`${ROOT}/permissions`, (c) => {
    const place = openToReader(c, context)
    const all = [...context.state.commands.overwrites(place.guild.id)].filter(
      ([, overwrites]) => overwrites.length > 0,
    )
    return c.json(all.map(([id, permissions]) => ({ id, ...idsOf(place), permissions })))
  })
  routes.get(`${ROOT}/:command/permissions`, (c) => {
    const place = openToReader(c, context)
    const { id } = subject(c, place, context)
    const permissions = context.state.commands.overwrites(place.guild.id).get(id)
    if (permissions === undefined || permissions.length === 0) throw noOverwrites()
    return c.json({ id, ...idsOf(place), permissions })
  })
  routes.bare('PUT', `${ROOT}/permissions`, () => {
    throw methodNotAllowed('permissions are changed one command at a time: the batch endpoint is disabled')
  })
  routes.with('PUT', `${ROOT}/:command/permissions`, { schema: () => permissionsBody }, (c, body) =>
    replace(c, body, context),
  )
  routes.refuseOthers(`${ROOT}/:command/permissions`)
  return routes
}

function openToReader(c: Context, context: EmulatorContext): Place {
  const caller = requireCaller(c)
  const applicationId = checkId(c.req.param('application') ?? '', 'application_id')
  checkApplication(applicationId, context)
  checkPermissionReader(caller, context)
  return {
    applicationId,
    guild: guildWithApplication(checkId(c.req.param('guild') ?? '', 'guild_id'), context),
  }
}

async function replace(
  c: Context,
  body: BodyOf<ValueOf<typeof permissionsBody>, void>,
  context: EmulatorContext,
): Promise<Response> {
  const caller = requireCaller(c)
  const applicationId = checkId(c.req.param('application') ?? '', 'application_id')
  checkApplication(applicationId, context)
  const { player } = checkPermissionWriter(caller)
  const guild = guildWithApplication(checkId(c.req.param('guild') ?? '', 'guild_id'), context)
  const { id, command } = subject(c, { applicationId, guild }, context)
  const actor = managerOf(guild, player)
  const { permissions } = await body.read()
  checkReach(actor, { command, permissions, applicationId }, context)
  context.state.commands.putOverwrites(guild.id, id, permissions)
  const answer = { id, application_id: applicationId, guild_id: guild.id, permissions }
  context.events.emit({ name: 'APPLICATION_COMMAND_PERMISSIONS_UPDATE', data: answer })
  return c.json(answer)
}

/** The command in the path, or the application for all of its commands. */
function subject(
  c: Context,
  { applicationId, guild }: Place,
  { state }: EmulatorContext,
): { id: string; command: Command | undefined } {
  const id = checkId(c.req.param('command') ?? '', 'command_id')
  if (id === applicationId) return { id, command: undefined }
  const places = [guild.id, undefined].map((guildId) => ({ applicationId, guildId }))
  const command = places
    .flatMap((place) => state.commands.list(place))
    .find((candidate) => candidate.id === id)
  if (command === undefined) throw unknownCommand()
  return { id, command }
}

/** @throws ApiError 403 if the player may not manage the guild and its roles. */
function managerOf(guild: Guild, player: Player): Actor {
  const member = memberOf(guild, player.id)
  if (member === undefined) throw missingPermissions('the player of the token is no member of this guild')
  const actor = actorIn(guild, member)
  if (!has(actor, MANAGE_GUILD))
    throw missingPermissions('the player of the token has no MANAGE_GUILD in this guild')
  if (!has(actor, MANAGE_ROLES))
    throw missingPermissions('the player of the token has no MANAGE_ROLES in this guild')
  return actor
}

interface Change {
  command: Command | undefined
  permissions: Overwrite[]
  applicationId: string
}

/** @throws ApiError 403 for a command that the player may not use, or a role, member or channel that they may not manage. */
function checkReach(
  actor: Actor,
  { command, permissions, applicationId }: Change,
  { state }: EmulatorContext,
): void {
  const all = state.commands.overwrites(actor.guild.id)
  if (command !== undefined) {
    const overwrites = { command: all.get(command.id) ?? [], application: all.get(applicationId) ?? [] }
    const { allowed, because } = accessOf({
      actor,
      channel: undefined,
      definition: command.definition,
      overwrites,
    })
    if (!allowed) throw missingPermissions(`the player of the token may not use this command: ${because}`)
  }
  const index = permissions.findIndex((overwrite) => !mayManage(actor, overwrite))
  if (index !== -1)
    throw missingPermissions(
      `the player of the token may not manage the role, member or channel of permissions[${index}]`,
    )
}

function idsOf({ applicationId, guild }: Place): { application_id: string; guild_id: string } {
  return { application_id: applicationId, guild_id: guild.id }
}

function noOverwrites(): ApiError {
  return new ApiError({
    status: 404,
    code: 10066,
    message: 'Unknown application command permissions',
    rule: 'this command has no permissions of its own in this guild',
  })
}

const overwrite = object({ id: snowflake, type: oneOf([1, 2, 3], PERMISSION_TYPES), permission: flag })

const permissionsBody = object({
  permissions: also(list(overwrite, { most: LIMITS.overwrites }), (value, at) =>
    apart(value, at, targetOf, { path: ['id'] }),
  ),
})

function targetOf(item: unknown): string | undefined {
  const { id, type } = fieldsOf(item)
  return typeof id === 'string' ? `${String(type)} ${id}` : undefined
}
