/** The record of the session, or the reason why there is none. */
import { SessionError } from '../../foundation/errors'
import type { CurrentSession } from './current-session'
import type { SessionRecord } from './session-record'

/** Returns the current record. @throws SessionError `signed_out`, or the code with which the session ended. */
export function requireSession({ record, endedBy }: CurrentSession): SessionRecord {
  if (!record) throw new SessionError(endedBy ?? 'signed_out')
  return record
}
