/** Lobby types for games. */
import type { ApplicationId, Snowflake, UserId } from '../../shared/foundation/ids'

declare const kind: unique symbol

/** Lobby id as a decimal string. */
export type LobbyId = Snowflake & { readonly [kind]: 'lobby' }

/** String values by key; all keys and values together have at most 1,000 characters (docs/interface/lobbies.md#lobby-member). */
export type Metadata = Readonly<Record<string, string>>

/** A lobby at one moment, as plain data. */
export interface LobbyState {
  /** Lobby id. */
  readonly id: LobbyId
  /** Application that the lobby belongs to. */
  readonly applicationId: ApplicationId
  /** Metadata of the lobby; empty if there is none. */
  readonly metadata: Metadata
  /** Current members. */
  readonly members: readonly LobbyMember[]
  /** Linked guild channel; absent without a link. */
  readonly linkedChannel?: LinkedChannel
}

/** Member of a lobby. */
export interface LobbyMember {
  /** User id. */
  readonly id: UserId
  /** Metadata of the member; empty if there is none. */
  readonly metadata: Metadata
  /** True if this member may link the lobby to a channel. */
  readonly canLinkLobby: boolean
  /** Additional name, for example of a character. */
  readonly additionalName?: string
  /** Unique user name, if a stream of the game's backend names it. */
  readonly username?: string
  /** Display name; null if the user has set none, absent if it is unknown. Chosen by the user: display it as plain text. */
  readonly globalName?: string | null
  /** `online` while the member has a stream of the game's backend, `away` after it has ended; absent without such a stream. */
  readonly presence?: 'online' | 'away'
}

/** Guild channel linked to a lobby. */
export interface LinkedChannel {
  /** Channel id. */
  readonly id: Snowflake
  /** Channel name. */
  readonly name: string
  /** Channel type, for example 0 for text, if known. */
  readonly type?: number
  /** Guild of the channel, if known. */
  readonly guildId?: Snowflake
}

/** Author of a message. */
interface MessageAuthor {
  /** User id. */
  readonly id: UserId
  /** Unique user name. */
  readonly username: string
  /** Display name; null if the user has set none. Chosen by the user: display it as plain text. */
  readonly globalName: string | null
  /** Hash of the avatar; null if the user has none. */
  readonly avatar: string | null
}

/** Message in a lobby or its linked channel. */
export interface LobbyMessage {
  /** Message id. */
  readonly id: Snowflake
  /** Message type of the service; 0 for a message of a player. */
  readonly type: number
  /** Lobby of the message. */
  readonly lobbyId: LobbyId
  /** Location of the message: the lobby itself, or its linked channel. */
  readonly channelId: Snowflake
  /** Author of the message. */
  readonly author: MessageAuthor
  /** Additional name of the author in the lobby. */
  readonly additionalName?: string
  /** Content from any user: display it as plain text only. */
  readonly content: string
  /** Metadata from the sender; empty if there is none. */
  readonly metadata: Metadata
  /** Metadata set by the game's backend. */
  readonly moderationMetadata: Metadata
  /** Time in epoch ms, from the id. */
  readonly sentAt: number
}

/**
 * Why a lobby ended for the player. `left`: this client left it. `removed`: another client of the player, the game's backend or the service
 * removed the player. `deleted`: the lobby ended. `unknown`: the service knows no such lobby of the player any more. `signed_out`: the player
 * signed out, or another one signed in. `closed`: the client was closed.
 */
export type LobbyEndReason = 'left' | 'removed' | 'deleted' | 'unknown' | 'signed_out' | 'closed'

/** Keys of a game's metadata, for `new Client<{ lobby: 'map' | 'round'; member: 'team' }>(…)`. Default: any key. */
export interface MetadataKeys {
  /** Keys of a lobby's metadata. */
  lobby?: string
  /** Keys of a member's metadata. */
  member?: string
}

/** Metadata with these keys only; any of them may be absent. */
export type Keyed<Key extends string | undefined> = string extends Key
  ? Metadata
  : { readonly [Name in Extract<Key, string>]?: string }

/** Keys of one kind. */
export type KeysOf<Keys extends MetadataKeys, Kind extends keyof MetadataKeys> =
  Keys extends Record<Kind, infer Key extends string> ? Key : string
