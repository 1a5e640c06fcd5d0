/** The port to a stream that tells what happens in lobbies, since the service has none for players, and how its events are read. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import type { UserId } from '../foundation/ids'
import type { Log } from '../foundation/log'
import type { Lobby, LobbyId, LobbyMember, LobbyMessage } from './lobby'
import { isLobbyId, toLobby, toMember, toMessage } from './decode-player-lobby'

/** Something that happened in a lobby. */
export type LobbyUpdate =
  | { readonly type: 'lobby'; readonly lobby: Lobby }
  | { readonly type: 'deleted'; readonly lobbyId: LobbyId }
  | { readonly type: 'member'; readonly lobbyId: LobbyId; readonly member: LobbyMember }
  | { readonly type: 'memberRemoved'; readonly lobbyId: LobbyId; readonly memberId: UserId }
  | { readonly type: 'message'; readonly message: LobbyMessage }

/** What a client lends to the stream that it listens to. */
export interface StreamTools {
  readonly clock: Clock
  /** To the client's `logger`, and as its event `log`. */
  readonly log: Log
}

/** Where a client hears of lobbies: a stream of the game's backend, for example `lobbyStream(url)`, or the emulator's events. */
export interface LobbyUpdates {
  /** Begins to listen; the result ends it. */
  subscribe(listener: (update: LobbyUpdate) => void, tools?: StreamTools): () => void
}

type Read = (data: unknown) => LobbyUpdate | undefined

/** What is read of each event, by its name. Payloads are those of the service's own endpoints, in snake_case. */
const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['lobby.created', asLobby],
  ['lobby.updated', asLobby],
  ['lobby.deleted', (data) => (isRecord(data) && isLobbyId(data['id']) ? { type: 'deleted', lobbyId: data['id'] } : undefined)],
  ['lobby.member_added', asMember],
  ['lobby.member_updated', asMember],
  ['lobby.member_removed', asRemoved],
  ['lobby.message', asMessage],
])

/** The names of the events that a stream may carry. */
export const lobbyEvents = (): string[] => [...READERS.keys()]

/** One event of a stream, by its name; undefined for one that is unknown or does not look as it should. Never throws. */
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
