/** Commands about the channel of the Activity. */
import { actorIn, memberOf } from '../guilds/member-permissions.js'
import { findVisibleChannel, type VisibleChannel } from '../guilds/visible-channels.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkAccess, requireText, type CommandContext } from './check-access.js'
import type { FrameLocation } from './rpc-context.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'
import { voiceState } from './rpc-context.js'

const DIRECT_MESSAGE = 1

/** Permissions of the player in the channel of the instance; none in direct messages. */
export function permissionsOf({ player, instance }: FrameLocation, context: EmulatorContext): bigint {
  const location = findVisibleChannel(instance.location.channelId, player, context)
  const member = location?.kind === 'guild' ? memberOf(location.guild, player.id) : undefined
  return location?.kind === 'guild' && member !== undefined
    ? actorIn(location.guild, member, location.channel).permissions
    : 0n
}

export function getChannelPermissions(_args: unknown, { session, context }: CommandContext) {
  return { permissions: String(permissionsOf(session.place, context)) }
}

export function getChannel(args: Record<string, unknown>, command: CommandContext) {
  const { session, context } = command
  const location = findVisibleChannel(requireText(args, 'channel_id', 64), session.place.player, context)
  if (location === undefined)
    throw new RpcError(ERROR_CODE.invalidChannel, 'Invalid channel: the player sees no such channel')
  const scopes = location.kind === 'guild' ? ['guilds'] : ['guilds', 'dm_channels.read']
  checkAccess('GET_CHANNEL', { scopes }, session)
  return { ...channelFields(location), voice_states: voiceStates(location.id, command), messages: [] }
}

function channelFields(location: VisibleChannel) {
  if (location.kind === 'direct') return { id: location.id, type: DIRECT_MESSAGE, guild_id: null, name: null }
  const { id, type, name } = location.channel
  return {
    id,
    type,
    name,
    guild_id: location.guild.id,
    topic: null,
    position: location.guild.channels.indexOf(location.channel),
  }
}

/** Assumed: the players of an Activity are in the voice of its channel. */
function voiceStates(channelId: string, { session, rpc }: CommandContext) {
  const { instance } = session.place
  if (instance.location.channelId !== channelId) return []
  return rpc.playersIn(instance).map((player) =>
    voiceState(player, {
      nickname: rpc.stores.profiles.nickname(instance.location.guildId, player.id),
      voice: rpc.stores.devices.of(player.id).voice,
    }),
  )
}
