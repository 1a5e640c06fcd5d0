/** Renews a session without a refresh token: the game or its backend brings new tokens. */
import { SessionError } from '../../shared/foundation/errors'
import type { VerifiedTokens } from '../../shared/tokens/requests/token-endpoint'
import type { CurrentSession } from './current-session'
import { applyRefresh } from './refresh-policy'
import type { SessionRecord } from './session-record'

/** Resolves with new tokens of the same player, or with null if the session is over. */
export type RenewTokens = (record: SessionRecord) => Promise<VerifiedTokens | null>

/** @throws SessionError `session_expired` if there are no new tokens: the session ends. @throws the errors of `renew`: it stays. */
export async function renewSession(
  currentSession: CurrentSession,
  renew: RenewTokens,
  record: SessionRecord,
): Promise<SessionRecord> {
  const renewed = await renew(record)
  if (renewed) {
    await currentSession.replace(record, applyRefresh(record, renewed))
    return currentSession.requireRecord()
  }
  const error = new SessionError('session_expired')
  if (currentSession.record?.id === record.id) await currentSession.end(error)
  throw error
}
