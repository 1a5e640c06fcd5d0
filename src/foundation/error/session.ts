/** There is no session any more. */
import { FoyerError } from './base'

export type SessionErrorCode =
  | 'signed_out'
  /** The service refused to renew the session: it was revoked, or too old. */
  | 'refresh_rejected'
  /** The service refused after a renewal whose answer never arrived: that one has used the refresh token up. */
  | 'refresh_answer_lost'
  /** The service refused a refresh token that had been renewed before: the store was set back to an older state. */
  | 'token_rolled_back'
  /** The access token does not work any more, and there is nothing to renew it with. */
  | 'session_expired'
  /** A renewal was sent and its end is not known yet. Retryable: the session is still there. */
  | 'refresh_in_doubt'

/** There is no session, or none that works: sign in again, unless it is `retryable`. */
export class SessionError extends FoyerError<SessionErrorCode> {
  override readonly name = 'SessionError'
}
