/** Visibility of commands for the members of a guild, and their use. */
import type { Channel, Guild } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { GUILD_INSTALL, USER_INSTALL } from '../../state/installations.js'
import { accessOf, mayInvoke } from './may-invoke.js'
import { GROUP, SUBCOMMAND, ENTRY_POINT, type Command, type Definition } from '../../model/stored-command.js'
import { actorIn, homeOf, memberOf, type Actor } from '../guilds/member-permissions.js'
import { guildWithApplication, isInstalledBy } from '../guilds/guild-with-application.js'
import { globalCommandsAt, requireCurrent } from './require-current.js'
import { missingPermissions, ApiError } from '../../check/api-error.js'

const GUILD_CONTEXT = 0

/** The member, and the channel; without them, all commands that the guild has loaded. */
export interface Viewpoint {
  userId?: string | undefined
  channelId?: string | undefined
}

interface Viewer {
  actor: Actor
  channel: Channel | undefined
}

/** @throws ApiError 403 or 404 */
export function visibleCommands(guildId: string, viewpoint: Viewpoint, context: EmulatorContext): Command[] {
  const guild = guildWithApplication(guildId, context)
  const viewer = viewerOf(guild, viewpoint)
  return loaded(guild, context).filter(
    (command) =>
      absence(command.definition, viewer, context) === undefined &&
      (viewer === undefined ||
        (suitsAge(command.definition, viewer, context) && access(command, viewer, context).allowed)),
  )
}

/** @throws ApiError 403 or 404; also if the guild has an older version, which this reloads. */
export function useCommand(
  guildId: string,
  commandId: string,
  { by, context }: { by: Viewpoint & { version?: string }; context: EmulatorContext },
): Command {
  const guild = guildWithApplication(guildId, context)
  const wanted = { commandId, version: by.version }
  const current = requireCurrent(
    wanted,
    { place: guild.id, loaded: loaded(guild, context), stored: storedFor(guild, context) },
    context,
  )
  const viewer = viewerOf(guild, by)
  const fault = viewer === undefined ? undefined : refusalOf(current, viewer, context)
  if (fault !== undefined) throw missingPermissions(fault)
  return current
}

/** A command, and the rule that keeps a member from it. */
export interface CommandAccess {
  command: Command
  /** Undefined if the member may use the command. */
  because: string | undefined
}

/** Explains for every command of a guild why a member may use it, or may not. @throws ApiError 403 or 404 */
export function explainAccess(
  guildId: string,
  viewpoint: Viewpoint,
  context: EmulatorContext,
): CommandAccess[] {
  const guild = guildWithApplication(guildId, context)
  const viewer = viewerOf(guild, viewpoint)
  const here = new Set(loaded(guild, context).map(({ id }) => id))
  return storedFor(guild, context).map((command) => {
    if (!here.has(command.id)) return { command, because: 'the command has not propagated to this guild yet' }
    return { command, because: viewer === undefined ? undefined : refusalOf(command, viewer, context) }
  })
}

/** Rule that keeps a member from a command; undefined if they may use it. */
function refusalOf(command: Command, viewer: Viewer, context: EmulatorContext): string | undefined {
  const fault = absence(command.definition, viewer, context)
  if (fault !== undefined) return fault
  if (!suitsAge(command.definition, viewer, context))
    return 'an age-restricted command needs an age-restricted channel and an adult'
  const { allowed, because } = access(command, viewer, context)
  if (!allowed) return because
  if (mayInvoke(command.definition, viewer.actor, viewer.channel)) return undefined
  return 'a USER command needs permission to send messages in the channel, or in the thread'
}

/** Global commands that have propagated to the guild, and guild commands, which need no propagation. */
function loaded(guild: Guild, context: EmulatorContext): Command[] {
  const { state, seed } = context
  return [
    ...globalCommandsAt(guild.id, context),
    ...state.commands.list({ applicationId: seed.application.id, guildId: guild.id }),
  ]
}

/**
 * Ids of the commands with permissions of their own in a guild, instead of the application's (docs/interface/command-permissions.md#rules).
 */
export function customizedIn(guildId: string, { state, seed }: EmulatorContext): Set<string> {
  const own = [...state.commands.overwrites(guildId)].filter(
    ([id, overwrites]) => id !== seed.application.id && overwrites.length > 0,
  )
  return new Set(own.map(([id]) => id))
}

function storedFor(guild: Guild, { state, seed }: EmulatorContext): Command[] {
  const applicationId = seed.application.id
  return [undefined, guild.id].flatMap((guildId) => state.commands.list({ applicationId, guildId }))
}

/** Reason why a command is unavailable: contexts, installations of the guild and of the viewer, or only empty groups. */
function absence(
  { type, contexts, integration_types: types, options = [] }: Definition,
  viewer: Viewer | undefined,
  context: EmulatorContext,
) {
  if (contexts !== undefined && contexts !== null && !contexts.includes(GUILD_CONTEXT))
    return `contexts of the command are without ${GUILD_CONTEXT}`
  const brought =
    viewer !== undefined &&
    types?.includes(USER_INSTALL) === true &&
    isInstalledBy(viewer.actor.userId, context)
  if (types !== undefined && !types.includes(GUILD_INSTALL) && !brought)
    return 'no installation brings the command here'
  const parts = options.filter((option) => option.type === SUBCOMMAND || option.type === GROUP)
  const isUsable =
    type === ENTRY_POINT ||
    parts.length === 0 ||
    parts.some((part) => part.type === SUBCOMMAND || part.options !== undefined)
  return isUsable ? undefined : 'the command holds groups without subcommands only'
}

/** Age-restricted commands are for adults in age-restricted channels; without a channel, for adults. */
function suitsAge({ nsfw }: Definition, { actor, channel }: Viewer, { seed }: EmulatorContext): boolean {
  if (!nsfw) return true
  const adult = seed.players.some(({ id, adult: grown }) => id === actor.userId && grown)
  return adult && (channel === undefined || homeOf(actor.guild, channel).nsfw)
}

function access(command: Command, { actor, channel }: Viewer, { state, seed }: EmulatorContext) {
  const all = state.commands.overwrites(actor.guild.id)
  const overwrites = { command: all.get(command.id) ?? [], application: all.get(seed.application.id) ?? [] }
  return accessOf({ actor, channel, definition: command.definition, overwrites })
}

function viewerOf(guild: Guild, { userId, channelId }: Viewpoint): Viewer | undefined {
  if (userId === undefined) return undefined
  const member = memberOf(guild, userId)
  if (member === undefined)
    throw new ApiError({
      status: 404,
      code: 10007,
      message: 'Unknown Member',
      rule: 'the player is no member of this guild',
    })
  const channel = guild.channels.find(({ id }) => id === channelId)
  if (channelId !== undefined && channel === undefined)
    throw new ApiError({
      status: 404,
      code: 10003,
      message: 'Unknown Channel',
      rule: 'no channel of this guild has this id',
    })
  return { actor: actorIn(guild, member, channel), channel }
}
