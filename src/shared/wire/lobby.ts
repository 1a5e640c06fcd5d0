/** Lobbies in the format of the REST API (docs/interface/lobbies.md). */
import type { Snowflake } from '../foundation/ids'

/**
 * String values by key: all keys and values together have 1,000 characters at most (docs/interface/lobbies.md#lobby-member,
 * docs/interface/lobbies.md#backend-endpoints).
 */
export type LobbyMetadata = Readonly<Record<string, string>>

/**
 * Bits of a member's `flags`: 1, the only one, allows the member to link the lobby to a channel (docs/interface/lobbies.md#lobby-member).
 */
export type LobbyMemberFlags = 0 | 1

/** A lobby created by a backend: players cannot join or leave it themselves (docs/interface/lobbies.md#backend-endpoints). */
export interface LobbyBody {
  /** String keys and values. Null removes all of them. */
  metadata?: LobbyMetadata | null | undefined
  /** At most 25; an edit replaces the whole list. */
  members?: readonly LobbyMemberEntry[] | null | undefined
  /** Seconds without members until the lobby ends: 5 to 604,800 (docs/interface/lobbies.md#limits). Assumed default: 300. */
  idle_timeout_seconds?: number | null | undefined
}

/** A member in a list. */
export interface LobbyMemberEntry {
  /** The user. */
  id: string
  /** String keys and values. Null removes all of them. */
  metadata?: LobbyMetadata | null | undefined
  /** Bit set. */
  flags?: LobbyMemberFlags | null | undefined
}

/** Settable fields of a member: absent fields stay as they are, and are empty for a new member. */
export interface LobbyMemberBody {
  /** String keys and values. Null removes all of them. */
  metadata?: LobbyMetadata | null | undefined
  /** Bit set. */
  flags?: LobbyMemberFlags | null | undefined
  /** Another name, for example of a character: 1 to 80 characters (docs/interface/lobbies.md#lobby-member). */
  additional_name?: string | null | undefined
}

/** An entry of a bulk update: adds, updates or removes a member (docs/interface/lobbies.md#lobby-member). */
export interface LobbyMemberUpdate extends LobbyMemberBody {
  /** The user. */
  id: string
  /** True removes the member. */
  remove_member?: boolean | undefined
}

/** A member of a lobby. */
export interface LobbyMember {
  /** User id. */
  id: Snowflake
  /** String keys and values. Null removes all of them. */
  metadata?: LobbyMetadata | null
  /** Bit set: 1 lets the member link the lobby to a channel. */
  flags?: number
  /** Additional name, for example of a character. */
  additional_name?: string
}

/** A lobby. */
export interface Lobby {
  /** Lobby id. */
  id: Snowflake
  /** Application that the lobby belongs to. */
  application_id: Snowflake
  /** Metadata of the lobby; null when empty. */
  metadata: LobbyMetadata | null
  /** Members of the lobby. */
  members: LobbyMember[]
  /** The linked guild channel; absent if there is none. */
  linked_channel?: LinkedChannel
}

/** A guild channel that a lobby is linked to. */
export interface LinkedChannel {
  /** Channel id. */
  id: Snowflake
  /** Channel type. */
  type: number
  /** Name of the channel. */
  name: string
  /** Guild of the channel. */
  guild_id?: Snowflake
}
