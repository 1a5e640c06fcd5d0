/** Lobbies, their members and their messages, as a game sees them. */
import type { ApplicationId, Snowflake, UserId } from '../foundation/ids'

declare const kind: unique symbol

export type LobbyId = Snowflake & { readonly [kind]: 'lobby' }

/** Text by text: all keys and values together have 1,000 characters at the most (S:187). */
export type Metadata = Readonly<Record<string, string>>

export interface Lobby {
  readonly id: LobbyId
  readonly applicationId: ApplicationId
  /** Empty where there is none. */
  readonly metadata: Metadata
  readonly members: readonly LobbyMember[]
  /** The guild channel that the lobby is linked to; absent while there is none. */
  readonly linkedChannel?: LinkedChannel
}

export interface LobbyMember {
  readonly id: UserId
  readonly metadata: Metadata
  /** Whether this member may link the lobby to a channel. */
  readonly canLinkLobby: boolean
  /** Another name, for example of a character. */
  readonly additionalName?: string
}

export interface LinkedChannel {
  readonly id: Snowflake
  readonly name: string
  readonly guildId?: Snowflake
}

export interface LobbyMessage {
  readonly id: Snowflake
  readonly lobbyId: LobbyId
  /** Where it was written: the lobby itself, or the channel that it is linked to. */
  readonly channelId: Snowflake
  readonly author: { readonly id: UserId; readonly username: string; readonly globalName: string | null }
  /** What its author is called in the lobby, where that is another name. */
  readonly additionalName?: string
  /** As it was written, by anyone: show it as text only. */
  readonly content: string
  readonly metadata: Metadata
  /** What the game's backend notes about it. */
  readonly moderationMetadata: Metadata
  /** Epoch ms, as its id tells. */
  readonly sentAt: number
}
