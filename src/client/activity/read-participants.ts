/** Participants of an Activity, as reported by its host window (docs/interface/activities.md#host-commands). */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { isUserId, type UserId } from '../../shared/foundation/ids'

/** User in an Activity. */
export interface ActivityParticipant {
  /** User id. */
  readonly id: UserId
  /** Unique user name. */
  readonly username: string
  /** Display name, or null if the user has set none. */
  readonly globalName: string | null
  /** Nickname in the guild, or null. */
  readonly nickname: string | null
  /** Hash of the avatar image, or null. */
  readonly avatar: string | null
}

/** Returns undefined unless the data contain a list of valid participants. */
export function readParticipants(data: unknown): readonly ActivityParticipant[] | undefined {
  const list = isRecord(data) ? data['participants'] : undefined
  if (!Array.isArray(list)) return undefined
  const players = list.flatMap((entry) => readParticipant(entry) ?? [])
  return players.length === list.length ? players : undefined
}

function readParticipant(entry: unknown): ActivityParticipant | undefined {
  const { id, username, global_name: globalName, nickname, avatar } = isRecord(entry) ? entry : {}
  if (!isUserId(id) || typeof username !== 'string') return undefined
  return {
    id,
    username,
    globalName: textOrNull(globalName),
    nickname: textOrNull(nickname),
    avatar: textOrNull(avatar),
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
