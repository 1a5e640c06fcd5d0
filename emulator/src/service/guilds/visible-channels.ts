/** Channels that a player can see: those of guilds, and direct messages. */
import { actorIn, has, memberOf, SEND_MESSAGES, VIEW_CHANNEL } from './member-permissions.js'
import { closestName } from '../../foundation/closest-name.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { createHash } from 'node:crypto'
import type { Channel, Guild, Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

/** Guild channel that the player sees. */
export interface VisibleGuildChannel {
  kind: 'guild'
  id: string
  guild: Guild
  channel: Channel
}

/** Direct messages of a player with the application's bot (`with` is undefined) or with another player. */
export interface VisibleDirectChannel {
  kind: 'direct'
  id: string
  with: Player | undefined
}

export type VisibleChannel = VisibleGuildChannel | VisibleDirectChannel

const CATEGORY = 4

export function visibleChannels(player: Player, { seed }: EmulatorContext): VisibleChannel[] {
  const guilds = seed.guilds.flatMap((guild) => channelsOf(guild, player))
  const others = seed.players.filter(({ id }) => id !== player.id)
  const direct = [undefined, ...others].map((other): VisibleDirectChannel => ({
    kind: 'direct',
    id: directChannelId(player.id, other?.id ?? seed.application.id),
    with: other,
  }))
  return [...guilds, ...direct]
}

export function findVisibleChannel(
  channelId: string,
  player: Player,
  context: EmulatorContext,
): VisibleChannel | undefined {
  return visibleChannels(player, context).find(({ id }) => id === channelId)
}

const SHOWN = 6

/** A channel is named by its id. */
export function noSuchChannel(given: string, player: Player, context: EmulatorContext): EmulatorError {
  const all = visibleChannels(player, context).flatMap((each) => (each.kind === 'guild' ? [each] : []))
  const name = closestName(
    given,
    all.map(({ channel }) => channel.name),
  )
  const near = all.filter(({ channel }) => channel.name === name)
  const shown = (near.length > 0 ? near : all)
    .slice(0, SHOWN)
    .map(({ id, channel }) => `${id} (${channel.name})`)
  return new EmulatorError(
    'bad_request',
    `${player.username} sees no channel ${JSON.stringify(given)}; channel takes an id, such as ${shown.join(', ')}.`,
  )
}

/** True if the player may send messages in the channel. */
export function maySend(player: Pick<Player, 'id'>, location: VisibleChannel): boolean {
  if (location.kind === 'direct') return true
  const member = memberOf(location.guild, player.id)
  return member !== undefined && has(actorIn(location.guild, member, location.channel), SEND_MESSAGES)
}

function channelsOf(guild: Guild, player: Player): VisibleGuildChannel[] {
  const member = memberOf(guild, player.id)
  if (member === undefined) return []
  const seen = guild.channels.filter(
    (channel) => channel.type !== CATEGORY && has(actorIn(guild, member, channel), VIEW_CHANNEL),
  )
  return seen.map((channel) => ({ kind: 'guild', id: channel.id, guild, channel }))
}

/** Channel id of a conversation: equal for both sides, and on every machine. */
export function directChannelId(left: string, right: string): string {
  const digest = createHash('sha256').update([left, right].sort().join(' ')).digest()
  return String(digest.readBigUInt64BE() >> 1n)
}
