/** Payloads of the channels of a guild, as its list has them. */
import type { Channel, Guild } from '../../state/seed/seed.js'
import { isThread } from './member-permissions.js'

const [roleOverwrite, memberOverwrite] = [0, 1]

/** Without threads. */
export function channelsOf(guild: Guild, shows: (channel: Channel) => boolean = () => true) {
  return guild.channels.flatMap((channel, position) =>
    isThread(channel) || !shows(channel) ? [] : [payload(guild, channel, position)],
  )
}

function payload(
  { id: guildId, roles }: Guild,
  { id, name, type, parentId, nsfw, overwrites }: Channel,
  position: number,
) {
  const isRole = (target: string) => target === guildId || roles.some((role) => role.id === target)
  return {
    id,
    type,
    guild_id: guildId,
    name,
    position,
    parent_id: parentId,
    nsfw,
    flags: 0,
    permission_overwrites: overwrites.map((each) => ({
      ...each,
      type: isRole(each.id) ? roleOverwrite : memberOverwrite,
    })),
  }
}
