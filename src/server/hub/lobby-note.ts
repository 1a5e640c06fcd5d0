/** Notes between the processes of a hub, and the state of a lobby. Pure; decoding never throws. */
import { isRecord, readJson } from '../../shared/foundation/untrusted-values'
import { isSnowflake } from '../../shared/foundation/ids'
import { namesOf } from '../players/player'
import type { Lobby } from '../../shared/wire/lobby'

/** State of a lobby as the service returned it. */
export interface VersionedLobby {
  readonly id: string
  /** Orders the states of one lobby: assigned before the read. */
  readonly version: number
  /** Null if the lobby has ended. */
  readonly lobby: Lobby | null
}

/** Properties of a player that the service does not put into a lobby. */
export interface PlayerFacts {
  readonly id: string
  readonly username?: string
  readonly globalName?: string
  /** True while the player has a stream. */
  readonly online: boolean
}

/** News for all processes. */
export type LobbyNote =
  /** `isRepeated`: the state was read earlier, and is published again because the broker has lost it. */
  | ({ readonly kind: 'lobby'; readonly isRepeated?: boolean } & VersionedLobby)
  | { readonly kind: 'players'; readonly players: readonly PlayerFacts[] }
  /** A read that a player's report has caused has ended: the player's streams send the result, also if nothing has changed. */
  | {
      readonly kind: 'confirmed'
      readonly playerId: string
      readonly lobbyId: string
      readonly version: number
    }
  /** A member has sent a message, or some more, which the other members can read at the service. */
  | {
      readonly kind: 'pending'
      readonly lobbyId: string
      readonly messageId: string
      readonly more?: readonly string[]
    }
  /** Message that the service has delivered in an event. */
  | { readonly kind: 'message'; readonly lobbyId: string; readonly message: unknown }
  /** A process may have lost notes: all processes compare their lobbies with the stored states. */
  | { readonly kind: 'compare' }

export const encodeNote = (note: LobbyNote): string => JSON.stringify(note)

const LOBBY_NOTE = /^\{"kind":"lobby","id":"(\d+)","version":(\d+),/

/** Returns the lobby and version of a note with a state, without decoding the state. */
export function readVersion(text: string): Pick<VersionedLobby, 'id' | 'version'> | undefined {
  const [, id, version] = LOBBY_NOTE.exec(text) ?? []
  return id === undefined ? undefined : { id, version: Number(version) }
}

/** Returns undefined for a text that no hub of this version has written. */
export function decodeNote(text: string): LobbyNote | undefined {
  const note = readJson(text)
  return isNote(note) ? note : undefined
}

/** Returns undefined for a text that no hub of this version has written, and for the state of another lobby. */
export function decodeState(text: string | undefined, lobbyId: string): VersionedLobby | undefined {
  const state = text === undefined ? undefined : readJson(text)
  return isState(state) && state.id === lobbyId ? state : undefined
}

function isNote(note: unknown): note is LobbyNote {
  if (!isRecord(note)) return false
  const { kind, lobbyId, message, messageId, more = [], playerId, players, version } = note
  if (kind === 'lobby') return isState(note)
  if (kind === 'compare') return true
  if (kind === 'players') return Array.isArray(players) && players.every(isFacts)
  if (kind === 'confirmed') return isSnowflake(playerId) && isSnowflake(lobbyId) && isVersion(version)
  if (kind === 'pending')
    return isSnowflake(lobbyId) && isSnowflake(messageId) && Array.isArray(more) && more.every(isSnowflake)
  return isSnowflake(lobbyId) && kind === 'message' && isRecord(message)
}

function isFacts(value: unknown): value is PlayerFacts {
  if (!isRecord(value)) return false
  const { id, online, username, globalName } = value
  return (
    isSnowflake(id) && typeof online === 'boolean' && isOptionalText(username) && isOptionalText(globalName)
  )
}

const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string'

/** Greater versions would soon be too large to be counted up. A version is a time in microseconds; this one is in the year 2112. */
const MAX_VERSION = 2 ** 52

/** Versions order the states of a lobby: one that cannot be counted up any more would be the last news of it. */
const isVersion = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_VERSION

/** Names of a player as they are stored. Returns none for a text that no hub of this version has written. */
export function decodeNames(text: string | undefined): Pick<PlayerFacts, 'username' | 'globalName'> {
  const stored = text === undefined ? undefined : readJson(text)
  return isRecord(stored) ? namesOf(stored['username'], stored['globalName']) : {}
}

function isState(value: unknown): value is VersionedLobby {
  if (!isRecord(value)) return false
  const { id, version, lobby } = value
  return isSnowflake(id) && isVersion(version) && (lobby === null || isLobby(lobby, id))
}

function isLobby(value: unknown, lobbyId: string): boolean {
  if (!isRecord(value)) return false
  const { id, members } = value
  return (
    id === lobbyId &&
    Array.isArray(members) &&
    members.every((member) => isRecord(member) && isSnowflake(member['id']))
  )
}
