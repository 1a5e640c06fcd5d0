/** Converts lobby responses to the types for games, with validation. Pure. */
import { isRecord } from '../foundation/guard-untrusted-values'
import { ProtocolError } from '../foundation/errors'
import { isApplicationId, isSnowflake, isUserId, type Snowflake } from '../foundation/ids'
import type { LinkedChannel, Lobby, LobbyId, LobbyMember, LobbyMessage, Metadata } from './lobby-types'

/** Epoch of ids in ms (docs/interface/README.md#snowflakes). */
const EPOCH = 1_420_070_400_000
/** Bit of a member's `flags`; a service may set others beside it (docs/interface/lobbies.md#lobby-member). */
const CAN_LINK_LOBBY = 1

export const isLobbyId = (value: unknown): value is LobbyId => isSnowflake(value)

/** @throws ProtocolError `malformed_response`. */
export function readLobby(body: unknown, route: string): Lobby {
  const lobby = toLobby(body)
  if (!lobby) throw malformed(route, 'a lobby')
  return lobby
}

/** @throws ProtocolError `malformed_response`. */
export function readMessage(body: unknown, route: string): LobbyMessage {
  const message = toMessage(body)
  if (!message) throw malformed(route, 'a message')
  return message
}

/** @throws ProtocolError `malformed_response`. */
export function readInviteCode(body: unknown, route: string): string {
  const code = isRecord(body) ? body['code'] : undefined
  if (typeof code !== 'string' || !code) throw malformed(route, 'an invitation')
  return code
}

/** Sorts newest first. @throws ProtocolError `malformed_response`. */
export function readMessages(body: unknown, route: string): LobbyMessage[] {
  if (!Array.isArray(body)) throw malformed(route, 'a list of messages')
  return body.map((each) => readMessage(each, route)).sort((a, b) => compareIds(b.id, a.id))
}

/** Returns undefined for an invalid lobby. */
export function toLobby(body: unknown): Lobby | undefined {
  if (!isRecord(body)) return undefined
  const { id, application_id: applicationId, members: list, linked_channel: channel } = body
  const metadata = toMetadata(body['metadata'])
  const members = Array.isArray(list) ? list.map(toMember) : undefined
  if (!isLobbyId(id) || !isApplicationId(applicationId) || !metadata || !members?.every((member) => member !== undefined)) return undefined
  const linkedChannel = toChannel(channel)
  return { id, applicationId, metadata, members, ...(linkedChannel && { linkedChannel }) }
}

export function toMember(body: unknown): LobbyMember | undefined {
  if (!isRecord(body)) return undefined
  const { id, flags, additional_name: name } = body
  const metadata = toMetadata(body['metadata'])
  if (!isUserId(id) || !metadata) return undefined
  const additionalName = typeof name === 'string' ? { additionalName: name } : {}
  return { id, metadata, canLinkLobby: typeof flags === 'number' && (flags & CAN_LINK_LOBBY) !== 0, ...additionalName, ...toPresence(body) }
}

/** Fields that a stream of the game's backend adds. */
function toPresence({ user, presence }: Readonly<Record<string, unknown>>): Pick<LobbyMember, 'username' | 'globalName' | 'presence'> {
  const { username, global_name: globalName = null } = isRecord(user) ? user : {}
  const isName = typeof username === 'string' && (globalName === null || typeof globalName === 'string')
  return { ...(isName && { username, globalName }), ...((presence === 'online' || presence === 'away') && { presence }) }
}

export function toMessage(body: unknown): LobbyMessage | undefined {
  if (!isRecord(body)) return undefined
  const { id, lobby_id: lobbyId, channel_id: channelId = lobbyId, content, lobby_member: member } = body
  const author = toAuthor(body['author'])
  if (!isSnowflake(id) || !isLobbyId(lobbyId) || !isSnowflake(channelId) || typeof content !== 'string' || !author) return undefined
  const metadata = toMetadata(body['metadata']) ?? {}
  const moderationMetadata = toMetadata(body['moderation_metadata']) ?? {}
  const name = isRecord(member) ? member['additional_name'] : undefined
  const additionalName = typeof name === 'string' ? { additionalName: name } : {}
  return { id, lobbyId, channelId, author, ...additionalName, content, metadata, moderationMetadata, sentAt: timeOf(id) }
}

/** Compares ids by time: negative if the second is later. */
export const compareIds = (a: Snowflake, b: Snowflake): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

const timeOf = (id: Snowflake): number => Number(BigInt(id) >> BigInt(22)) + EPOCH

function toAuthor(value: unknown): LobbyMessage['author'] | undefined {
  if (!isRecord(value)) return undefined
  const { id, username, global_name: globalName } = value
  if (!isUserId(id) || typeof username !== 'string') return undefined
  return { id, username, globalName: typeof globalName === 'string' ? globalName : null }
}

function toChannel(value: unknown): LinkedChannel | undefined {
  if (!isRecord(value)) return undefined
  const { id, name, guild_id: guildId } = value
  if (!isSnowflake(id) || typeof name !== 'string') return undefined
  return { id, name, ...(isSnowflake(guildId) && { guildId }) }
}

/** Avoids assignment, because a key may be `__proto__`. */
function toMetadata(value: unknown): Metadata | undefined {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value)
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string') ? Object.fromEntries(entries) : undefined
}

const malformed = (route: string, expected: string): ProtocolError => new ProtocolError('malformed_response', route, { expected })
