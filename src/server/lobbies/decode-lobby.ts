/** Validates lobbies in responses to the application. What the interface leaves open may be absent or null. */
import { checkResponse, ID, METADATA, type FieldRule, TEXT } from '../../shared/http/check-response'
import type { Lobby, LobbyMember } from '../../shared/wire/lobby'

/** A lobby as it may arrive: the interface does not show its fields (docs/interface/lobbies.md#lobby). */
type ReceivedLobby = Pick<Lobby, 'id' | 'linked_channel'> & {
  [Field in 'application_id' | 'metadata' | 'members']?: Lobby[Field] | null
}

const MEMBER: FieldRule<LobbyMember> = { fields: { id: ID, metadata: METADATA } }
const MEMBERS: FieldRule<LobbyMember[]> = { list: MEMBER }
const LOBBY: FieldRule<ReceivedLobby> = {
  fields: {
    id: ID,
    application_id: { ...ID, isOptional: true },
    metadata: METADATA,
    members: { ...MEMBERS, isOptional: true },
  },
}
const INVITE: FieldRule<{ code: string }> = { fields: { code: TEXT } }

/** Identifies a response: a method and a route, and the application that has asked. */
export interface ResponseSource {
  readonly route: string
  readonly applicationId: Lobby['application_id']
}

/** A lobby that names no application belongs to the one that has asked. @throws ProtocolError `malformed_response`. */
export function decodeLobby(body: unknown, { route, applicationId }: ResponseSource): Lobby {
  // Spread as a whole: leaving fields out takes several times as long.
  const lobby = checkResponse(body, route, LOBBY)
  return {
    ...lobby,
    application_id: lobby.application_id ?? applicationId,
    metadata: lobby.metadata ?? null,
    members: lobby.members ?? [],
  }
}

export const decodeMember = (body: unknown, route: string): LobbyMember => checkResponse(body, route, MEMBER)

export const decodeMembers = (body: unknown, route: string): LobbyMember[] =>
  checkResponse(body, route, MEMBERS)

export function decodeInvite(body: unknown, route: string): { code: string } {
  const { code } = checkResponse(body, route, INVITE)
  return { code }
}
