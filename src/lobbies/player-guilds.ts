/** Guilds of a player and their channels, to choose the one that a lobby is linked to (docs/interface/lobbies.md#channel-linking). */
import { isRecord } from '../foundation/guard-untrusted-values'
import { ProtocolError } from '../foundation/errors'
import { isSnowflake, type Snowflake } from '../foundation/ids'
import type { Api } from '../http/api-client'
import type { CallOptions } from './player-lobbies'
import { requireIds } from './validate-player-input'

/** Guild of which the player is a member. */
export interface Guild {
  /** Guild id. */
  readonly id: Snowflake
  /** Guild name. */
  readonly name: string
  /** True if the player manages channels in the whole guild. A single channel may grant or deny it differently. */
  readonly canManageChannels: boolean
}

/** Channel of a guild. */
export interface GuildChannel {
  /** Channel id. */
  readonly id: Snowflake
  /** Channel name. */
  readonly name: string
  /** Channel type, for example 0 for text, 2 for voice, 4 for a category. */
  readonly type: number
  /** Place among its siblings, from 0. */
  readonly position: number
  /** Category of the channel; absent without one. */
  readonly parentId?: Snowflake
  /**
   * False if no lobby can be linked to it: it is no text channel, or age-restricted. The permissions of the player, and another lobby that
   * is linked already, are checked by the service when it is linked.
   */
  readonly isLinkable: boolean
}

const GUILDS = '/users/@me/guilds'
const CHANNELS = '/guilds/{guild.id}/channels'
const TEXT_CHANNEL = 0
/** ADMINISTRATOR and MANAGE_CHANNELS. */
const MANAGES = 8 | 16

export async function listGuilds(api: Api, { signal }: CallOptions): Promise<Guild[]> {
  return readList((await api.send({ method: 'GET', route: GUILDS, ids: {}, signal })).body, GUILDS, toGuild)
}

/** Sorts by position. */
export async function listGuildChannels(api: Api, guildId: string, { signal }: CallOptions): Promise<GuildChannel[]> {
  requireIds({ guildId })
  const { body } = await api.send({ method: 'GET', route: CHANNELS, ids: { 'guild.id': guildId }, signal })
  return readList(body, CHANNELS, toChannel).sort((a, b) => a.position - b.position)
}

/** @throws ProtocolError `malformed_response`. */
function readList<T>(body: unknown, route: string, read: (item: unknown) => T | undefined): T[] {
  const items = Array.isArray(body) ? body.map(read) : [undefined]
  if (items.every((item) => item !== undefined)) return items
  throw new ProtocolError('malformed_response', `GET ${route}`)
}

function toGuild(item: unknown): Guild | undefined {
  const { id, name, owner, permissions = '0' } = isRecord(item) ? item : {}
  if (!isSnowflake(id) || typeof name !== 'string' || typeof permissions !== 'string' || !/^\d{1,20}$/.test(permissions)) return undefined
  return { id, name, canManageChannels: owner === true || (BigInt(permissions) & BigInt(MANAGES)) !== BigInt(0) }
}

function toChannel(item: unknown): GuildChannel | undefined {
  const { id, name, type, position = 0, parent_id: parent, nsfw } = isRecord(item) ? item : {}
  if (!isSnowflake(id) || typeof name !== 'string' || typeof type !== 'number' || typeof position !== 'number') return undefined
  const isLinkable = type === TEXT_CHANNEL && nsfw !== true
  return { id, name, type, position, ...(isSnowflake(parent) && { parentId: parent }), isLinkable }
}
