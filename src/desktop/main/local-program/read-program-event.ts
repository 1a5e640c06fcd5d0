/** Reads what the service's program says: any program of this user may have made the socket. Pure. */
import type { DesktopUser } from '../../../client/desktop/desktop'
import { isLinkable } from '../../../client/lobbies/invitation'
import { ApiError } from '../../../shared/foundation/errors'
import { isUserId } from '../../../shared/foundation/ids'
import { isRecord, isText } from '../../../shared/foundation/untrusted-values'

/** Characters of a join secret; longer ones cannot be in a presence. */
const MAX_SECRET = 128
/** Names of users, without control characters. */
const NAME = /^[^\p{Cc}]{1,128}$/u

/** Event of the program. */
export type ProgramEvent =
  | { kind: 'join'; secret: string }
  | { kind: 'request'; user: DesktopUser }
  | { kind: 'invitation'; user: DesktopUser }

/** Undefined for an event that is unknown, malformed, or about another application. */
export function readProgramEvent(
  event: string,
  data: unknown,
  applicationId: string | undefined,
): ProgramEvent | undefined {
  if (!isRecord(data) || (data['application_id'] ?? applicationId) !== applicationId) return undefined
  if (event === 'ACTIVITY_JOIN') {
    const { secret } = data
    const isUsable = typeof secret === 'string' && secret.length <= MAX_SECRET && isLinkable(secret)
    return isUsable ? { kind: 'join', secret } : undefined
  }
  const user = readUser(data)
  if (!user) return undefined
  if (event === 'ACTIVITY_JOIN_REQUEST') return { kind: 'request', user }
  return event === 'ACTIVITY_INVITE' ? { kind: 'invitation', user } : undefined
}

/** The user of READY or of an event; null if it is none. */
export function readUser(data: unknown): DesktopUser | null {
  const user = isRecord(data) ? data['user'] : undefined
  if (!isRecord(user)) return null
  const { id, username, global_name: globalName } = user
  if (!isUserId(id) || !isText(username, NAME)) return null
  return { id, username, globalName: isText(globalName, NAME) ? globalName : null }
}

/** Codes of a handshake that fails again whenever it is tried. */
const FOR_GOOD: ReadonlySet<string> = new Set([
  'invalid_client_id',
  'invalid_origin',
  'invalid_version',
  'invalid_encoding',
])

/** True if another attempt cannot succeed. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof ApiError && FOR_GOOD.has(error.code)
