/** Lobbies as they travel: what a backend sends, and what the service answers (S:178-188, S:257-266, supplement A.2.1). */
import type { Snowflake } from '../foundation/ids'

/** Text by text: all keys and values together have 1,000 characters at the most (S:187, S:261). */
export type LobbyMetadata = Readonly<Record<string, string>>

/** Bits of a member's `flags`: 1, the only one, lets them link the lobby to a channel (S:188). */
export type LobbyMemberFlags = 0 | 1

/** A lobby that a backend makes: players neither join nor leave it themselves (S:261). */
export interface LobbyBody {
  metadata?: LobbyMetadata | null
  /** At most 25; an edit replaces the whole list. */
  members?: readonly LobbyMemberEntry[] | null
  /** Seconds without anybody until the lobby ends: 5 to 604,800 (S:364). Assumed default: 300. */
  idle_timeout_seconds?: number | null
}

/** A member in a list. */
export interface LobbyMemberEntry {
  /** The user. */
  id: string
  metadata?: LobbyMetadata | null
  flags?: LobbyMemberFlags | null
}

/** What of a member is set: what is absent stays as it is, and is empty for a new one. */
export interface LobbyMemberBody {
  metadata?: LobbyMetadata | null
  flags?: LobbyMemberFlags | null
  /** Another name, for example of a character: 1 to 80 characters (supplement A.2.1). */
  additional_name?: string | null
}

/** One entry of a bulk update: puts a member, or removes one (supplement A.2.1). */
export interface LobbyMemberUpdate extends LobbyMemberBody {
  /** The user. */
  id: string
  remove_member?: boolean
}

export interface LobbyMember {
  id: Snowflake
  metadata?: LobbyMetadata | null
  flags?: number
  additional_name?: string
}

export interface Lobby {
  id: Snowflake
  application_id: Snowflake
  metadata: LobbyMetadata | null
  members: LobbyMember[]
  /** The guild channel that the lobby is linked to; absent while there is none. */
  linked_channel?: LinkedChannel
}

export interface LinkedChannel {
  id: Snowflake
  type: number
  name: string
  guild_id?: Snowflake
}
