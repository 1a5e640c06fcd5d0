/** Which commands a player can choose where they are, and whether one that they chose may be used. */
import type { DirectSpot, Spot } from '../channels.js'
import { entryPoint, group, subcommand, type Command, type Definition } from '../commands/definition.js'
import { useCommand, visibleCommands } from '../commands/guild-view.js'
import { memberOf } from '../commands/members.js'
import { globalCommandsAt, requireCurrent } from '../commands/propagation.js'
import { missingPermissions } from '../commands/refusal.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'
import { userInstall } from '../state/installations.js'
import { contextOf, isGuildInstalled, isUserInstalled } from './payload.js'

export function pickable(player: Player, spot: Spot, service: Service): Command[] {
  if (spot.kind === 'guild' && isGuildInstalled(spot.guild.id, service))
    return visibleCommands(spot.guild.id, { userId: player.id, channelId: spot.id }, service)
  return globalCommandsAt(placeOf(spot), service).filter(({ definition }) => faultOf(definition, { player, spot }, service) === undefined)
}

interface Wanted {
  commandId: string
  version?: string | undefined
}

/** @throws Refusal when the player may not use it here, or has an older version of it. */
export function invocable({ commandId, version }: Wanted, { player, spot }: { player: Player; spot: Spot }, service: Service): Command {
  if (spot.kind === 'guild' && isGuildInstalled(spot.guild.id, service)) {
    const by = { userId: player.id, channelId: spot.id, ...(version === undefined ? {} : { version }) }
    return useCommand(spot.guild.id, commandId, { by, service })
  }
  const place = placeOf(spot)
  const at = { place, loaded: globalCommandsAt(place, service), stored: globalCommands(service) }
  const command = requireCurrent({ commandId, version }, at, service)
  const fault = faultOf(command.definition, { player, spot }, service)
  if (fault !== undefined) throw missingPermissions(fault)
  return command
}

/** Global commands are loaded guild by guild, and conversation by conversation. */
function placeOf(spot: Spot): string {
  return spot.kind === 'guild' ? spot.guild.id : spot.id
}

function globalCommands({ state, seed }: Service): Command[] {
  return state.commands.list({ applicationId: seed.application.id, guildId: undefined })
}

/** Why a global command is not here, outside of the guilds that have the application. */
function faultOf(definition: Definition, { player, spot }: { player: Player; spot: Spot }, service: Service): string | undefined {
  const { contexts, dm_permission: direct, options = [], type, nsfw } = definition
  const here = contextOf(spot)
  if (contexts !== undefined && contexts !== null && !contexts.includes(here)) return `contexts of the command are without ${here}`
  if (spot.kind === 'direct' && direct === false) return 'dm_permission of the command is false'
  if (nsfw && (!player.adult || (spot.kind === 'guild' && !spot.channel.nsfw))) return 'the command is age-restricted'
  const parts = options.filter((option) => option.type === subcommand || option.type === group)
  if (type !== entryPoint && parts.length > 0 && !parts.some((part) => part.type === subcommand || part.options !== undefined))
    return 'the command holds groups without subcommands only'
  return isReachable(definition, { player, spot }, service) ? undefined : 'no installation brings the command here'
}

/** By the player's own installation, or in messages with the bot by a guild that both are in. */
function isReachable(
  { integration_types: types }: Definition,
  { player, spot }: { player: Player; spot: Spot },
  service: Service,
): boolean {
  const supported = types ?? service.seed.application.integrationTypes
  if (supported.includes(userInstall) && isUserInstalled(player, service)) return true
  return spot.kind === 'direct' && isWithBot(spot) && supported.includes(0) && sharesGuild(player, service)
}

function isWithBot(spot: DirectSpot): boolean {
  return spot.with === undefined
}

function sharesGuild({ id }: Player, service: Service): boolean {
  return service.seed.guilds.some((guild) => memberOf(guild, id) !== undefined && isGuildInstalled(guild.id, service))
}
