/** Checks of the channel that a lobby is linked to. */
import { ApiError, missingAccess, missingPermissions } from '../../check/api-error.js'
import { impossible } from '../../check/lobby-errors.js'
import type { LinkedChannel, Lobby } from '../../model/lobby.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Channel, Guild, Seed } from '../../state/seed/seed.js'
import {
  MANAGE_CHANNELS,
  SEND_MESSAGES,
  VIEW_CHANNEL,
  actorIn,
  has,
  memberOf,
} from '../guilds/member-permissions.js'
import { randomBytes } from 'node:crypto'

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
  if (place === undefined)
    throw new ApiError({
      status: 404,
      code: 10003,
      message: 'Unknown Channel',
      rule: 'no channel has this id',
    })
  if (place.channel.type !== TEXT_CHANNEL)
    throw new ApiError({
      status: 400,
      code: 50024,
      message: 'Cannot execute action on this channel type',
      rule: 'only a text channel of a guild can be linked',
    })
  if (place.channel.nsfw) throw impossible('an age-restricted channel cannot be linked')
  const actor = member && actorIn(place.guild, member, place.channel)
  if (actor === undefined)
    throw missingPermissions('the player of the token is no member of the guild of this channel')
  if (!has(actor, MANAGE_CHANNELS | VIEW_CHANNEL | SEND_MESSAGES))
    throw missingPermissions('linking needs MANAGE_CHANNELS, VIEW_CHANNEL and SEND_MESSAGES in the channel')
  return place
}

/** @throws ApiError 400 if another lobby is linked to the channel */
export function checkFree(taken: string | undefined, lobbyId: string): void {
  if (taken !== undefined && taken !== lobbyId) throw impossible('the channel is linked to another lobby')
}

/** Milliseconds for which an invitation is valid. */
const LIFETIME = 3_600_000

/** @throws ApiError 400 for a lobby without a channel, 403 for a provisional account */
export function invite(
  { channelId }: Lobby,
  userId: string,
  { state, seed, clock }: EmulatorContext,
): { code: string } {
  const place = channelOf(channelId, seed)
  if (place === undefined) throw impossible('the lobby is linked to no channel')
  if (state.accounts.find(userId) !== undefined)
    throw missingAccess('a provisional account cannot join a guild')
  const code = randomBytes(8).toString('base64url')
  const now = Math.floor(clock.now())
  state.guildInvites.add({ code, guildId: place.guild.id, userId, expires: now + LIFETIME }, now)
  return { code }
}
