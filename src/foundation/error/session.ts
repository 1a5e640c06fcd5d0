/** There is no session any more. */
import { FoyerError } from './base'

export type SessionErrorCode = 'signed_out' | 'refresh_rejected'

/** There is no session any more: sign in again. */
export class SessionError extends FoyerError<SessionErrorCode> {
  override readonly name = 'SessionError'
}
