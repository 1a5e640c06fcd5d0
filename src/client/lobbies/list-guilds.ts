/** Guilds of a player and their channels, to choose the one that a lobby is linked to (docs/interface/lobbies.md#channel-linking). */
import type { CallOptions } from '../../shared/foundation/options'
import { isText } from '../../shared/foundation/untrusted-values'
import { isSnowflake, type Snowflake } from '../../shared/foundation/ids'
import { checkResponse, ID, NUMBER, type FieldRule, TEXT } from '../../shared/http/check-response'
import type { Api } from '../../shared/http/api'
import { requireIds } from './validate-player-input'

/** Guild of which the player is a member. */
export interface Guild {
  /** Guild id. */
  readonly id: Snowflake
  /** Guild name. */
  readonly name: string
  /** Hash of the icon; null if the guild has none. */
  readonly icon: string | null
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

type ReceivedGuild = Readonly<Record<string, unknown>> &
  Pick<Guild, 'id' | 'name'> & { readonly permissions?: string | null }
type ReceivedChannel = Readonly<Record<string, unknown>> &
  Pick<GuildChannel, 'id' | 'name' | 'type'> & { readonly position?: number | null }

const BITS: FieldRule = {
  isOptional: true,
  expected: 'permissions as a string of digits',
  fits: (value) => isText(value, /^\d{1,20}$/),
}
const GUILDS_RULE: FieldRule<ReceivedGuild[]> = {
  list: { fields: { id: ID, name: TEXT, permissions: BITS } },
}
const CHANNELS_RULE: FieldRule<ReceivedChannel[]> = {
  list: { fields: { id: ID, name: TEXT, type: NUMBER, position: { ...NUMBER, isOptional: true } } },
}

export async function listGuilds(api: Api, { signal }: CallOptions): Promise<Guild[]> {
  const { body } = await api.send({ method: 'GET', route: GUILDS, ids: {}, signal })
  return checkResponse(body, `GET ${GUILDS}`, GUILDS_RULE).map(guildOf)
}

/** Sorts by position. */
export async function listGuildChannels(
  api: Api,
  guildId: string,
  { signal }: CallOptions,
): Promise<GuildChannel[]> {
  requireIds({ guildId })
  const { body } = await api.send({ method: 'GET', route: CHANNELS, ids: { 'guild.id': guildId }, signal })
  return checkResponse(body, `GET ${CHANNELS}`, CHANNELS_RULE)
    .map(channelOf)
    .sort((a, b) => a.position - b.position)
}

function guildOf({ id, name, icon, owner, permissions }: ReceivedGuild): Guild {
  const canManageChannels = owner === true || (BigInt(permissions ?? '0') & BigInt(MANAGES)) !== BigInt(0)
  return { id, name, icon: typeof icon === 'string' ? icon : null, canManageChannels }
}

function channelOf({ id, name, type, position, parent_id: parent, nsfw }: ReceivedChannel): GuildChannel {
  const isLinkable = type === TEXT_CHANNEL && nsfw !== true
  return {
    id,
    name,
    type,
    position: position ?? 0,
    ...(isSnowflake(parent) && { parentId: parent }),
    isLinkable,
  }
}
