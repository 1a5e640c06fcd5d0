/** The errors that any game can meet: until a player is signed in, while they are, and in every request. */
// In one file, since they are loaded together.
import type { Issue } from './issue'

/** What an error may carry beside its code. `cause` is kept as it is, so it must never hold a secret. */
export interface ErrorDetails {
  cause?: unknown
  retryable?: boolean
  /** Of a `ProtocolError`. */
  path?: string
  /** Of a `ProtocolError`. */
  expected?: string
}

/** The base of every rejection of every public call. Safe to log and to serialize: it never holds a token, a code, a full URL or a body. */
export abstract class FoyerError<Code extends string = string> extends Error {
  /** Stable, for `switch`. The message is for people and may change. */
  declare readonly code: Code
  /** `true` when the same call may succeed later without a change to the code or the input. */
  declare readonly retryable: boolean

  /** The message is the code in words, and the `subject` that it is about. What to do is told in docs/errors.md. */
  constructor(code: Code, subject = '', { cause, ...details }: ErrorDetails = {}) {
    super(code.replace(/_/g, ' ') + (subject && `: ${subject}`))
    Object.assign(this, { code, retryable: false, ...details })
    // Not the second argument of `Error`: engines that run the UMD build ignore it.
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause })
  }

  /** Plain data that may cross a process or reach a log: name, code, message, and what the class adds. */
  toJSON(): Record<string, unknown> {
    return Object.assign<Record<string, unknown>, this>({ message: this.message }, this)
  }
}

export type ConfigurationErrorCode =
  | 'missing_service_host'
  | 'missing_application_id'
  | 'insecure_endpoint'
  | 'invalid_argument'
  | 'unsupported'
  | 'closed'
  /** Electron: a page called the client of the main process that its `windows` do not name. */
  | 'untrusted_window'
  /** Other writers than this SDK's keep changing the same thing: let one write. */
  | 'contended'
  /** The page stands in no Activity: its address has no launch parameters, or no window is around it. */
  | 'no_activity_host'

/** The game's code or configuration is wrong: fix the code. */
export class ConfigurationError extends FoyerError<ConfigurationErrorCode> {
  override readonly name = 'ConfigurationError'
}

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

export type NetworkErrorCode = 'offline' | 'timed_out' | 'aborted' | 'connection_failed'

/** No answer arrived: try again. */
export class NetworkError extends FoyerError<NetworkErrorCode> {
  override readonly name = 'NetworkError'

  /** `route` is a method and a path, never a full URL. */
  constructor(code: NetworkErrorCode, route: string, details?: ErrorDetails) {
    super(code, route, { retryable: code !== 'aborted', ...details })
  }
}

export type ProtocolErrorCode = 'malformed_response' | 'response_too_large' | 'invalid_id_token' | 'missing_id_token' | 'keys_unavailable'

/** The service broke its own contract: report it. `path` says where, `expected` what should have stood there. */
export class ProtocolError extends FoyerError<ProtocolErrorCode> {
  override readonly name = 'ProtocolError'
  declare readonly path?: string
  declare readonly expected?: string
}

/** The service refused a request that is not part of signing in: read `status` and `apiCode`. */
export class ApiError extends FoyerError {
  override readonly name = 'ApiError'
  /** HTTP status of the answer; 0 for the word of an Activity's host window. */
  declare readonly status: number
  /** The service's own error number (supplement A.6.2), when its body held one. */
  declare readonly apiCode?: number
  /** What the service says is wrong with the body, in the same paths as the SDK's own checks. */
  declare readonly issues?: readonly Issue[]

  constructor(code: string, route: string, details: ErrorDetails & { status: number; apiCode?: number; issues?: readonly Issue[] }) {
    super(code, route, { retryable: details.status >= 500 || details.status === 429, ...details })
  }
}
