/** Signing in did not work out. */
import { type ErrorDetails, FoyerError } from './base'

/** RFC 6749 section 4.1.2.1 and 5.2, and OpenID Connect Core section 3.1.2.6. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'account_selection_required'

export type AuthorizationErrorCode =
  | OAuthErrorCode
  /** The service named an error that no specification lists; see `serviceError`. */
  | 'authorization_failed'
  /** The browser opened no window: begin inside the player's click, or use `redirectSurface()`. */
  | 'popup_blocked'
  | 'window_closed'
  /** Electron: the system opened no browser. */
  | 'browser_unavailable'
  | 'aborted'
  | 'timed_out'
  /** More attempts were begun than are kept at once; this one was the oldest. */
  | 'superseded'
  /** The player came back to the page without an answer (the back button). */
  | 'stale'
  /** The answer belongs to no attempt that waits: it was used, has expired, or was begun elsewhere. */
  | 'state_mismatch'
  | 'issuer_mismatch'
  | 'redirect_mismatch'
  | 'malformed_callback'
  | 'response_type_mismatch'
  | 'missing_code'
  /** The surface threw; see `cause`. */
  | 'surface_failed'

export interface AuthorizationErrorDetails extends ErrorDetails {
  serviceError?: string
  untrustedDescription?: string | undefined
}

/** Signing in did not work out: let the player try again. */
export class AuthorizationError extends FoyerError<AuthorizationErrorCode> {
  override readonly name = 'AuthorizationError'
  /** The service's own error word, when it sent one. Visible ASCII, 64 characters at most. */
  declare readonly serviceError?: string
  /** The service's own description. It arrived in a URL, so anyone may have written it: show it as text only. 256 characters at most. */
  declare readonly untrustedDescription?: string

  constructor(code: AuthorizationErrorCode, details?: AuthorizationErrorDetails) {
    super(code, '', { retryable: true, ...details })
  }
}
