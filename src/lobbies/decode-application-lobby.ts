/** Validates lobbies in responses to the application. */
import { isRecord } from '../foundation/guard-untrusted-values'
import { ProtocolError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import type { Lobby, LobbyMember, LobbyMetadata } from '../wire/lobby'

/** @throws ProtocolError `malformed_response`. */
export function decodeLobby(body: unknown, route: string): Lobby {
  if (isLobby(body)) return body
  throw malformed(route, 'a lobby')
}

export function decodeMember(body: unknown, route: string): LobbyMember {
  if (isMember(body)) return body
  throw malformed(route, 'a member of a lobby')
}

export function decodeMembers(body: unknown, route: string): LobbyMember[] {
  if (Array.isArray(body)) return body.map((each) => decodeMember(each, route))
  throw malformed(route, 'a list of members')
}

export function decodeInvite(body: unknown, route: string): { code: string } {
  const { code } = isRecord(body) ? body : {}
  if (typeof code === 'string') return { code }
  throw malformed(route, 'an invite')
}

/** Checks the fields that the SDK itself reads. */
function isLobby(value: unknown): value is Lobby {
  if (!isRecord(value)) return false
  const { id, application_id: application, metadata, members } = value
  return isSnowflake(id) && isSnowflake(application) && isMetadata(metadata) && Array.isArray(members) && members.every(isMember)
}

const isMember = (value: unknown): value is LobbyMember => isRecord(value) && isSnowflake(value['id']) && isMetadata(value['metadata'])

function isMetadata(value: unknown): value is LobbyMetadata | null | undefined {
  if (value === undefined || value === null) return true
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string')
}

const malformed = (route: string, expected: string): ProtocolError => new ProtocolError('malformed_response', route, { expected })
