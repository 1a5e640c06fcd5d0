/** The event that reports a message of the chat to the application. */
import type { ServiceEvent } from '../../model/service-event.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { isBotIn } from '../guilds/guild-with-application.js'
import { memberOf } from '../guilds/member-permissions.js'
import { plainMember } from '../guilds/user-payload.js'
import { directChannelId } from '../guilds/visible-channels.js'
import type { MessageChange } from './messages.js'

const NAMES = {
  created: 'MESSAGE_CREATE',
  updated: 'MESSAGE_UPDATE',
  deleted: 'MESSAGE_DELETE',
} as const

/**
 * Returns undefined for a message that the application does not see: where its bot is not, between two players, or for one player only
 * (assumed).
 */
export function messageEvent(
  { kind, message, onlyFor }: MessageChange,
  { seed, ...context }: EmulatorContext,
): ServiceEvent | undefined {
  const { id, channel_id: channelId, author } = message
  if (onlyFor !== undefined) return undefined
  const guild = seed.guilds.find(({ channels }) => channels.some((channel) => channel.id === channelId))
  if (guild === undefined) {
    const isWithBot = seed.players.some(
      (player) => directChannelId(player.id, seed.application.id) === channelId,
    )
    if (!isWithBot) return undefined
  } else if (!isBotIn(guild.id, { seed, ...context })) return undefined
  const place = guild === undefined ? {} : { guild_id: guild.id }
  if (kind === 'deleted') return { name: NAMES.deleted, data: { id, channel_id: channelId, ...place } }
  const member =
    guild === undefined ? {} : { member: plainMember(memberOf(guild, String(author['id']))?.roles ?? []) }
  return { name: NAMES[kind], data: { ...structuredClone(message), ...place, ...member } }
}
