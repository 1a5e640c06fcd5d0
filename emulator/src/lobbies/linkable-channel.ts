/** Checks of the channel that a lobby is linked to. */
import { actorIn, has, MANAGE_CHANNELS, memberOf, SEND_MESSAGES, VIEW_CHANNEL } from '../guilds/member-permissions.js'
import { missingPermissions, ApiError } from '../api/api-error.js'
import type { Channel, Guild, Seed } from '../seed/seed.js'
import type { LinkedChannel } from '../model/lobby.js'
import { impossible } from './lobby-errors.js'

export interface Place {
  guild: Guild
  channel: Channel
  payload: LinkedChannel
}

const TEXT_CHANNEL = 0

export function channelOf(id: string | null, { guilds }: Pick<Seed, 'guilds'>): Place | undefined {
  for (const guild of guilds) {
    const position = guild.channels.findIndex((channel) => channel.id === id)
    const channel = guild.channels[position]
    if (channel === undefined) continue
    const { type, name } = channel
    return { guild, channel, payload: { id: channel.id, type, flags: 0, guild_id: guild.id, name, position } }
  }
  return undefined
}

/**
 * Finds a text channel in which the player may view, write, and manage the channel.
 * @throws ApiError 404 for an unknown channel, 400 for another type or an age-restricted one, 403 without the permissions
 */
export function linkableChannel(id: string, { playerId, seed }: { playerId: string; seed: Seed }): Place {
  const place = channelOf(id, seed)
  const member = place && memberOf(place.guild, playerId)
  if (place === undefined) throw new ApiError({ status: 404, code: 10003, message: 'Unknown Channel', rule: 'no channel has this id' })
  if (place.channel.type !== TEXT_CHANNEL)
    throw new ApiError({
      status: 400,
      code: 50024,
      message: 'Cannot execute action on this channel type',
      rule: 'only a text channel of a guild can be linked',
    })
  if (place.channel.nsfw) throw impossible('an age-restricted channel cannot be linked')
  const actor = member && actorIn(place.guild, member, place.channel)
  if (actor === undefined) throw missingPermissions('the player of the token is no member of the guild of this channel')
  if (!has(actor, MANAGE_CHANNELS | VIEW_CHANNEL | SEND_MESSAGES))
    throw missingPermissions('linking needs MANAGE_CHANNELS, VIEW_CHANNEL and SEND_MESSAGES in the channel')
  return place
}

/** @throws ApiError 400 if another lobby is linked to the channel */
export function checkFree(taken: string | undefined, lobbyId: string): void {
  if (taken !== undefined && taken !== lobbyId) throw impossible('the channel is linked to another lobby')
}
