/** Port for lobby update streams, which the service does not offer to players, and the parser of their events. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import type { UserId } from '../foundation/ids'
import type { Log } from '../foundation/log-entry'
import type { Lobby, LobbyId, LobbyMember, LobbyMessage } from './lobby-types'
import { isLobbyId, toLobby, toMember, toMessage } from './decode-player-lobby'

/** Change in a lobby. */
export type LobbyUpdate =
  | { readonly type: 'lobby'; readonly lobby: Lobby }
  | { readonly type: 'deleted'; readonly lobbyId: LobbyId }
  | { readonly type: 'member'; readonly lobbyId: LobbyId; readonly member: LobbyMember }
  | { readonly type: 'memberRemoved'; readonly lobbyId: LobbyId; readonly memberId: UserId }
  | { readonly type: 'message'; readonly message: LobbyMessage }

/** Services that a client provides to its stream. */
export interface StreamTools {
  /** Time source of the client. */
  readonly clock: Clock
  /** Writes to the client's `logger` and its `log` event. */
  readonly log: Log
}

/** Source of lobby updates: a stream of the game's backend, for example `lobbyStream(url)`, or the emulator's events. */
export interface LobbyUpdates {
  /** Starts listening. Returns an unsubscribe function. */
  subscribe(listener: (update: LobbyUpdate) => void, tools?: StreamTools): () => void
}

type Read = (data: unknown) => LobbyUpdate | undefined

/** Parsers by event name. Payloads match the service's own responses, in snake_case. */
const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['lobby.created', asLobby],
  ['lobby.updated', asLobby],
  ['lobby.deleted', (data) => (isRecord(data) && isLobbyId(data['id']) ? { type: 'deleted', lobbyId: data['id'] } : undefined)],
  ['lobby.member_added', asMember],
  ['lobby.member_updated', asMember],
  ['lobby.member_removed', asRemoved],
  ['lobby.message', asMessage],
])

/** Returns the names of all supported events. */
export const lobbyEvents = (): string[] => [...READERS.keys()]

/** Parses one event of a stream. Returns undefined for an unknown name or malformed data; never throws. */
export function parseLobbyUpdate(name: string, data: unknown): LobbyUpdate | undefined {
  return READERS.get(name)?.(data)
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
  return found?.type === 'member' ? { type: 'memberRemoved', lobbyId: found.lobbyId, memberId: found.member.id } : undefined
}

function asMessage(data: unknown): LobbyUpdate | undefined {
  const message = toMessage(data)
  return message && { type: 'message', message }
}
