/** Validates lobbies in responses to the application. What the interface leaves open may be absent or null. */
import { checkResponse, ID, listOf, matches, objectOf, optional, TEXT } from '../http/check-response'
import { isRecord } from '../foundation/guard-untrusted-values'
import type { Lobby, LobbyMember } from '../wire/lobby'

/** A lobby as it may arrive: the interface does not show its fields (docs/interface/lobbies.md#lobby). */
type ReceivedLobby = Pick<Lobby, 'id' | 'linked_channel'> & { [Field in 'application_id' | 'metadata' | 'members']?: Lobby[Field] | null }

const METADATA = optional(matches('an object of strings', (value) => isRecord(value) && Object.values(value).every(isString)))
const MEMBER = objectOf<LobbyMember>({ id: ID, metadata: METADATA })
const LOBBY = objectOf<ReceivedLobby>({ id: ID, application_id: optional(ID), metadata: METADATA, members: optional(listOf(MEMBER)) })
const INVITE = objectOf<{ code: string }>({ code: TEXT })

/** Identifies a response: a method and a route, and the application that has asked. */
export interface ResponseSource {
  readonly route: string
  readonly applicationId: Lobby['application_id']
}

/** A lobby that names no application belongs to the one that has asked. @throws ProtocolError `malformed_response`. */
export function decodeLobby(body: unknown, { route, applicationId }: ResponseSource): Lobby {
  const { application_id, metadata, members, ...lobby } = checkResponse(body, route, LOBBY)
  return { ...lobby, application_id: application_id ?? applicationId, metadata: metadata ?? null, members: members ?? [] }
}

export const decodeMember = (body: unknown, route: string): LobbyMember => checkResponse(body, route, MEMBER)

export const decodeMembers = (body: unknown, route: string): LobbyMember[] => checkResponse(body, route, listOf(MEMBER))

export function decodeInvite(body: unknown, route: string): { code: string } {
  const { code } = checkResponse(body, route, INVITE)
  return { code }
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}
