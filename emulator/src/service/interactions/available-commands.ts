/** Commands that a player can choose in a channel, and whether a chosen one may be used. */
import type { VisibleDirectChannel, VisibleChannel } from '../guilds/visible-channels.js'
import { ENTRY_POINT, GROUP, SUBCOMMAND, type Command, type Definition } from '../../model/stored-command.js'
import { useCommand, visibleCommands } from '../commands/visible-commands.js'
import { memberOf } from '../guilds/member-permissions.js'
import { globalCommandsAt, requireCurrent } from '../commands/require-current.js'
import { missingPermissions } from '../../check/api-error.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { USER_INSTALL } from '../../state/installations.js'
import { isGuildInstalled } from '../guilds/guild-with-application.js'
import { contextOf, isUserInstalled } from './interaction-payload.js'

export function availableCommands(
  player: Player,
  location: VisibleChannel,
  context: EmulatorContext,
): Command[] {
  if (location.kind === 'guild' && isGuildInstalled(location.guild.id, context))
    return visibleCommands(location.guild.id, { userId: player.id, channelId: location.id }, context)
  return globalCommandsAt(placeOf(location), context).filter(
    ({ definition }) => faultOf(definition, { player, location }, context) === undefined,
  )
}

interface CommandUse {
  commandId: string
  version?: string | undefined
}

/** @throws ApiError if the player may not use it here, or has an older version. */
export function findAvailableCommand(
  { commandId, version }: CommandUse,
  { player, location }: { player: Player; location: VisibleChannel },
  context: EmulatorContext,
): Command {
  if (location.kind === 'guild' && isGuildInstalled(location.guild.id, context)) {
    const by = { userId: player.id, channelId: location.id, ...(version === undefined ? {} : { version }) }
    return useCommand(location.guild.id, commandId, { by, context })
  }
  const place = placeOf(location)
  const at = { place, loaded: globalCommandsAt(place, context), stored: globalCommands(context) }
  const command = requireCurrent({ commandId, version }, at, context)
  const fault = faultOf(command.definition, { player, location }, context)
  if (fault !== undefined) throw missingPermissions(fault)
  return command
}

/** Place of propagation: global commands are loaded per guild, and per direct message channel. */
function placeOf(location: VisibleChannel): string {
  return location.kind === 'guild' ? location.guild.id : location.id
}

function globalCommands({ state, seed }: EmulatorContext): Command[] {
  return state.commands.list({ applicationId: seed.application.id, guildId: undefined })
}

/** Reason why a global command is unavailable outside of guilds with the application. */
function faultOf(
  definition: Definition,
  { player, location }: { player: Player; location: VisibleChannel },
  context: EmulatorContext,
): string | undefined {
  const { contexts, dm_permission: direct, options = [], type, nsfw } = definition
  const here = contextOf(location)
  if (contexts !== undefined && contexts !== null && !contexts.includes(here))
    return `contexts of the command are without ${here}`
  if (location.kind === 'direct' && direct === false) return 'dm_permission of the command is false'
  if (nsfw && (!player.adult || (location.kind === 'guild' && !location.channel.nsfw)))
    return 'the command is age-restricted'
  const parts = options.filter((option) => option.type === SUBCOMMAND || option.type === GROUP)
  if (
    type !== ENTRY_POINT &&
    parts.length > 0 &&
    !parts.some((part) => part.type === SUBCOMMAND || part.options !== undefined)
  )
    return 'the command holds groups without subcommands only'
  return isReachable(definition, { player, location }, context)
    ? undefined
    : 'no installation brings the command here'
}

/** True through the user's installation, or in direct messages with the bot through a shared guild. */
function isReachable(
  { integration_types: types }: Definition,
  { player, location }: { player: Player; location: VisibleChannel },
  context: EmulatorContext,
): boolean {
  const supported = types ?? context.seed.application.integrationTypes
  if (supported.includes(USER_INSTALL) && isUserInstalled(player, context)) return true
  return (
    location.kind === 'direct' && isWithBot(location) && supported.includes(0) && sharesGuild(player, context)
  )
}

function isWithBot(location: VisibleDirectChannel): boolean {
  return location.with === undefined
}

function sharesGuild({ id }: Player, context: EmulatorContext): boolean {
  return context.seed.guilds.some(
    (guild) => memberOf(guild, id) !== undefined && isGuildInstalled(guild.id, context),
  )
}
