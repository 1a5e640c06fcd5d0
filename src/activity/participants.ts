/** Who is in an Activity, as its host window tells it (supplement C.3). */
import { isRecord } from '../foundation/encoding'
import { ProtocolError } from '../foundation/errors'
import { isUserId, type UserId } from '../foundation/ids'

export interface ActivityParticipant {
  readonly id: UserId
  readonly username: string
  /** The name that others see, where the player has set one. */
  readonly globalName: string | null
  /** The name in this place, where there is one. */
  readonly nickname: string | null
  /** The hash of the picture. */
  readonly avatar: string | null
}

/** @throws ProtocolError `malformed_response`. */
export function decodeParticipants(data: unknown): readonly ActivityParticipant[] {
  const list = isRecord(data) ? data['participants'] : undefined
  if (!Array.isArray(list)) throw malformed('participants')
  return list.map((entry: unknown, index) => decodeParticipant(entry, `participants[${index}]`))
}

function decodeParticipant(entry: unknown, path: string): ActivityParticipant {
  const { id, username, global_name: globalName, nickname, avatar } = isRecord(entry) ? entry : {}
  if (!isUserId(id) || typeof username !== 'string') throw malformed(path)
  return { id, username, globalName: textOrNull(globalName), nickname: textOrNull(nickname), avatar: textOrNull(avatar) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const malformed = (path: string) => new ProtocolError('malformed_response', 'activity', { path, expected: 'players' })
