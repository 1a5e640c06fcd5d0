/** What a lobby, its members and its messages are, as they are stored and answered. */

/** Texts by name; null was never set, or was cleared. */
export type Metadata = Record<string, string> | null

export interface LobbyMember {
  userId: string
  metadata: Metadata
  /** 1 lets the member link the lobby to a channel. */
  flags: number
  additionalName: string | null
}

export interface Lobby {
  id: string
  applicationId: string
  metadata: Metadata
  /** How long it may be left alone. */
  idleSeconds: number
  /** A player made it with a secret; one without was made by a server. */
  bySecret: boolean
  channelId: string | null
  members: LobbyMember[]
}

export interface LobbyMessage {
  id: string
  lobbyId: string
  applicationId: string
  authorId: string
  content: string
  flags: number
  metadata: Metadata
  moderation: Metadata
  /** The author's name in the lobby when the message was sent. */
  additionalName: string | null
}

/** A guild's channel, as far as lobbies show it. */
export interface LinkedChannel {
  id: string
  type: number
  flags: number
  guild_id: string
  name: string
  position: number
}

export const canLinkLobby = 1

export function memberPayload({ userId, metadata, flags, additionalName }: LobbyMember): Record<string, unknown> {
  return { id: userId, metadata, flags, ...(additionalName === null ? {} : { additional_name: additionalName }) }
}

export function lobbyPayload(lobby: Lobby, channel: LinkedChannel | undefined): Record<string, unknown> {
  return {
    id: lobby.id,
    application_id: lobby.applicationId,
    metadata: lobby.metadata,
    members: lobby.members.map(memberPayload),
    ...(channel === undefined ? {} : { linked_channel: channel }),
  }
}
