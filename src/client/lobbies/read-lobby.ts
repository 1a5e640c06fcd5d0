/** Converts lobby responses to the types for games, with validation. Pure. */
import { checkResponse, fits, ID, METADATA, type FieldRule, TEXT } from '../../shared/http/check-response'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { type ApplicationId, isSnowflake, type Snowflake, type UserId } from '../../shared/foundation/ids'
import type { LinkedChannel, LobbyState, LobbyId, LobbyMember, LobbyMessage, Metadata } from './lobby-state'

/** Epoch of ids in ms (docs/interface/README.md#snowflakes). */
const EPOCH = 1_420_070_400_000
/** Bit of a member's `flags`; a service may set others beside it (docs/interface/lobbies.md#lobby-member). */
const CAN_LINK_LOBBY = 1

export const isLobbyId = (value: unknown): value is LobbyId => isSnowflake(value)

const MEMBER: FieldRule<ReceivedMember> = { fields: { id: ID, metadata: METADATA } }
const LOBBY_FIELDS = { id: ID, metadata: METADATA, members: { list: MEMBER, isOptional: true } }
const LOBBY: FieldRule<ReceivedLobby> = {
  fields: { application_id: { ...ID, isOptional: true }, ...LOBBY_FIELDS },
}
const NAMED_LOBBY: FieldRule<NamedLobby> = { fields: { application_id: ID, ...LOBBY_FIELDS } }
const MESSAGE: FieldRule<ReceivedMessage> = {
  fields: {
    id: ID,
    lobby_id: ID,
    channel_id: { ...ID, isOptional: true },
    content: TEXT,
    author: { fields: { id: ID, username: TEXT } },
  },
}
const MESSAGES: FieldRule<ReceivedMessage[]> = { list: MESSAGE }
const INVITE: FieldRule<{ code: string }> = {
  fields: { code: { expected: 'a code', fits: (value) => typeof value === 'string' && value !== '' } },
}

/** Fields as they may arrive; fields without a rule are unknown. */
type Received = Readonly<Record<string, unknown>>
type ReceivedMember = Received & { readonly id: UserId; readonly metadata?: Metadata | null }
type ReceivedLobby = Received & {
  readonly id: LobbyId
  readonly application_id?: ApplicationId | null
  readonly metadata?: Metadata | null
  readonly members?: readonly ReceivedMember[] | null
}
type NamedLobby = ReceivedLobby & { readonly application_id: ApplicationId }
type ReceivedMessage = Received & {
  readonly id: Snowflake
  readonly lobby_id: LobbyId
  readonly channel_id?: Snowflake | null
  readonly content: string
  readonly author: Received & { readonly id: UserId; readonly username: string }
}

/** Identifies a response: a method and a route, and the application that has asked. */
export interface ResponseSource {
  readonly route: string
  readonly applicationId: ApplicationId | undefined
}

/** A lobby that names no application belongs to the one that has asked. @throws ProtocolError `malformed_response`. */
export function readLobby(body: unknown, { route, applicationId }: ResponseSource): LobbyState {
  if (applicationId !== undefined) return lobbyOf(checkResponse(body, route, LOBBY), applicationId)
  const lobby = checkResponse(body, route, NAMED_LOBBY)
  return lobbyOf(lobby, lobby.application_id)
}

/** @throws ProtocolError `malformed_response`. */
export const readMessage = (body: unknown, route: string): LobbyMessage =>
  messageOf(checkResponse(body, route, MESSAGE))

/** @throws ProtocolError `malformed_response`. */
export const readInviteCode = (body: unknown, route: string): string =>
  checkResponse(body, route, INVITE).code

/** Sorts newest first. @throws ProtocolError `malformed_response`. */
export function readMessages(body: unknown, route: string): LobbyMessage[] {
  return checkResponse(body, route, MESSAGES)
    .map(messageOf)
    .sort((a, b) => compareIds(b.id, a.id))
}

/** Returns undefined for an invalid lobby, and for one that names no application. */
export function toLobby(body: unknown): LobbyState | undefined {
  return fits(body, NAMED_LOBBY) ? lobbyOf(body, body.application_id) : undefined
}

export function toMember(body: unknown): LobbyMember | undefined {
  return fits(body, MEMBER) ? memberOf(body) : undefined
}

export function toMessage(body: unknown): LobbyMessage | undefined {
  return fits(body, MESSAGE) ? messageOf(body) : undefined
}

function lobbyOf(
  { id, application_id, metadata, members, linked_channel: channel }: ReceivedLobby,
  applicationId: ApplicationId,
): LobbyState {
  const linkedChannel = toChannel(channel)
  return {
    id,
    applicationId: application_id ?? applicationId,
    metadata: metadataOf(metadata),
    members: (members ?? []).map(memberOf),
    ...(linkedChannel && { linkedChannel }),
  }
}

function memberOf(member: ReceivedMember): LobbyMember {
  const { id, metadata, flags, additional_name: name } = member
  const canLinkLobby = typeof flags === 'number' && (flags & CAN_LINK_LOBBY) !== 0
  const additionalName = typeof name === 'string' ? { additionalName: name } : {}
  return { id, metadata: metadataOf(metadata), canLinkLobby, ...additionalName, ...toPresence(member) }
}

/** Fields that a stream of the game's backend adds. */
function toPresence({
  user,
  presence,
}: Readonly<Record<string, unknown>>): Pick<LobbyMember, 'username' | 'globalName' | 'presence'> {
  const { username, global_name: globalName = null } = isRecord(user) ? user : {}
  const isName = typeof username === 'string' && (globalName === null || typeof globalName === 'string')
  return {
    ...(isName && { username, globalName }),
    ...((presence === 'online' || presence === 'away') && { presence }),
  }
}

function messageOf({
  id,
  lobby_id: lobbyId,
  channel_id: channelId,
  content,
  author,
  lobby_member: member,
  ...rest
}: ReceivedMessage): LobbyMessage {
  const { type, metadata, moderation_metadata: moderation } = rest
  const name = isRecord(member) ? member['additional_name'] : undefined
  return {
    id,
    type: typeof type === 'number' ? type : 0,
    lobbyId,
    channelId: channelId ?? lobbyId,
    author: authorOf(author),
    ...(typeof name === 'string' && { additionalName: name }),
    content,
    metadata: toMetadata(metadata),
    moderationMetadata: toMetadata(moderation),
    sentAt: timeOf(id),
  }
}

/** Compares ids by time: negative if the second is later. */
export const compareIds = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

const timeOf = (id: Snowflake): number => Number(BigInt(id) >> BigInt(22)) + EPOCH

function authorOf({
  id,
  username,
  global_name: globalName,
  avatar,
}: ReceivedMessage['author']): LobbyMessage['author'] {
  return { id, username, globalName: textOrNull(globalName), avatar: textOrNull(avatar) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function toChannel(value: unknown): LinkedChannel | undefined {
  if (!isRecord(value)) return undefined
  const { id, name, type, guild_id: guildId } = value
  if (!isSnowflake(id) || typeof name !== 'string') return undefined
  return { id, name, ...(typeof type === 'number' && { type }), ...(isSnowflake(guildId) && { guildId }) }
}

/** A copy, without assignment, because a key may be `__proto__`. */
const metadataOf = (metadata: Metadata | null | undefined): Metadata =>
  Object.freeze(Object.fromEntries(Object.entries(metadata ?? {})))

/** Empty for metadata that is none. */
function toMetadata(value: unknown): Metadata {
  const entries = isRecord(value) ? Object.entries(value) : []
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? Object.fromEntries(entries)
    : {}
}
