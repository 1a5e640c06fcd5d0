/** Port for lobby update streams, which the service does not offer to players, and the parser of their events. */
import type { Clock } from '../../shared/foundation/clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { isSnowflake, type Snowflake, type UserId } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import type { LobbyState, LobbyId, LobbyMember, LobbyMessage } from './lobby-state'
import { isLobbyId, toLobby, toMember, toMessage } from './read-lobby'

/** Change in a lobby. */
export type LobbyUpdate =
  | { readonly type: 'lobby'; readonly lobby: LobbyState }
  | { readonly type: 'deleted'; readonly lobbyId: LobbyId }
  | { readonly type: 'member'; readonly lobbyId: LobbyId; readonly member: LobbyMember }
  | { readonly type: 'memberRemoved'; readonly lobbyId: LobbyId; readonly memberId: UserId }
  | { readonly type: 'message'; readonly message: LobbyMessage }
  /** Another member has sent a message, which the client then reads at the service. Without an id: messages may have been missed. */
  | { readonly type: 'messagePending'; readonly lobbyId: LobbyId; readonly messageId?: Snowflake }

/** Requests of the client's player, for streams that authenticate with the player's token. */
export interface PlayerRequests {
  /** True if the player's token may be sent to this URL: to the game's `backendOrigins`, and to a service on this machine. */
  isAllowed(url: string): boolean
  /** Sends a request with the player's token. @throws The errors of `client.backend.fetch`. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Identifies the player's session for other tabs that have it too; undefined without a session. */
  sessionKey?(): Promise<string | undefined>
  /** Ids of the lobbies in the client's cache. */
  lobbyIds(): readonly LobbyId[]
}

/** Change by this client's own player, which the service does not report to other players. */
export interface OwnChange {
  /** Lobby that the player has joined, left or changed, or has sent a message to. */
  readonly lobbyId: string
  /** Id of a sent message. */
  readonly messageId?: string | undefined
}

/** Services that a client provides to its stream. */
export interface StreamTools {
  /** Time source of the client. */
  readonly clock: Clock
  /** Writes to the client's `logger` and its `log` event. */
  readonly log: Log
  /** Requests with the player's token. Absent outside of a client. */
  readonly player?: PlayerRequests | undefined
}

/** Source of lobby updates: a stream of the game's backend, for example `lobbyStream(url)`, or the emulator's events. */
export interface LobbyUpdates {
  /** Starts listening. Returns an unsubscribe function. */
  subscribe(listener: (update: LobbyUpdate) => void, tools?: StreamTools): () => void
  /** Called after each successful change by the client's own player, so that the backend can show it to others. Must not throw. */
  announce?(change: OwnChange): void
}

type Read = (data: unknown) => LobbyUpdate | undefined

/** Parsers by event name. Payloads match the service's own responses, in snake_case. */
const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['lobby.created', asLobby],
  ['lobby.updated', asLobby],
  [
    'lobby.deleted',
    (data) =>
      isRecord(data) && isLobbyId(data['id']) ? { type: 'deleted', lobbyId: data['id'] } : undefined,
  ],
  ['lobby.member_added', asMember],
  ['lobby.member_updated', asMember],
  ['lobby.member_removed', asRemoved],
  ['lobby.message', asMessage],
  ['lobby.message_pending', asPending],
])

/** Returns the names of all supported events. */
export const lobbyEvents = (): string[] => [...READERS.keys()]

/** Parses one event of a stream. Returns undefined for an unknown name or malformed data; never throws. */
export function parseLobbyUpdate(name: string, data: unknown): LobbyUpdate | undefined {
  return READERS.get(name)?.(data)
}

/** Parses one event whose data is still text. */
export function parseLobbyEvent({
  name,
  data,
}: {
  readonly name: string
  readonly data: string
}): LobbyUpdate | undefined {
  try {
    return parseLobbyUpdate(name, JSON.parse(data))
  } catch {
    return undefined
  }
}

function asLobby(data: unknown): LobbyUpdate | undefined {
  const lobby = toLobby(data)
  return lobby && { type: 'lobby', lobby }
}

function asMember(data: unknown): LobbyUpdate | undefined {
  const { lobby_id: lobbyId, member: given } = isRecord(data) ? data : {}
  const member = toMember(given)
  return isLobbyId(lobbyId) && member ? { type: 'member', lobbyId, member } : undefined
}

function asRemoved(data: unknown): LobbyUpdate | undefined {
  const found = asMember(data)
  return found?.type === 'member'
    ? { type: 'memberRemoved', lobbyId: found.lobbyId, memberId: found.member.id }
    : undefined
}

function asMessage(data: unknown): LobbyUpdate | undefined {
  const message = toMessage(data)
  return message && { type: 'message', message }
}

function asPending(data: unknown): LobbyUpdate | undefined {
  const { lobby_id: lobbyId, message_id: messageId } = isRecord(data) ? data : {}
  return isLobbyId(lobbyId) && isSnowflake(messageId)
    ? { type: 'messagePending', lobbyId, messageId }
    : undefined
}
