/** Lobbies, their members and their messages, as they are stored and returned. */

/** Strings by key; null if it was never set, or was cleared. */
export type Metadata = Record<string, string> | null

export interface LobbyMember {
  userId: string
  metadata: Metadata
  /** 1: the member may link the lobby to a channel. */
  flags: number
  additionalName: string | null
}

export interface Lobby {
  id: string
  applicationId: string
  metadata: Metadata
  /** Seconds without use after which the lobby closes. */
  idleSeconds: number
  /** True if a player created it with a secret, false if a server created it. */
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
  /** The author's additional name when the message was sent. */
  additionalName: string | null
}

/** Guild channel, with the fields that a lobby's payload contains. */
export interface LinkedChannel {
  id: string
  type: number
  flags: number
  guild_id: string
  name: string
  position: number
}

export const CAN_LINK_LOBBY = 1

export function memberPayload({
  userId,
  metadata,
  flags,
  additionalName,
}: LobbyMember): Record<string, unknown> {
  return {
    id: userId,
    metadata,
    flags,
    ...(additionalName === null ? {} : { additional_name: additionalName }),
  }
}

export function lobbyPayload(lobby: Lobby, channel: LinkedChannel | undefined): Record<string, unknown> {
  return {
    id: lobby.id,
    application_id: lobby.applicationId,
    metadata: lobby.metadata,
    flags: 0,
    members: lobby.members.map(memberPayload),
    ...(channel === undefined ? {} : { linked_channel: channel }),
  }
}
