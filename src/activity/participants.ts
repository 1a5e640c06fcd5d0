/** Who is in an Activity, as its host window tells it (supplement C.3). */
import { isRecord } from '../foundation/encoding'
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

/** Undefined where there is no list, or anything in it that is no player. */
export function readParticipants(data: unknown): readonly ActivityParticipant[] | undefined {
  const list = isRecord(data) ? data['participants'] : undefined
  if (!Array.isArray(list)) return undefined
  const players = list.flatMap((entry) => readParticipant(entry) ?? [])
  return players.length === list.length ? players : undefined
}

function readParticipant(entry: unknown): ActivityParticipant | undefined {
  const { id, username, global_name: globalName, nickname, avatar } = isRecord(entry) ? entry : {}
  if (!isUserId(id) || typeof username !== 'string') return undefined
  return { id, username, globalName: textOrNull(globalName), nickname: textOrNull(nickname), avatar: textOrNull(avatar) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
