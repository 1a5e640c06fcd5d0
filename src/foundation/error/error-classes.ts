/** The errors that any game can meet: during sign-in, with a session, and in every request. */
// In one file, since they are loaded together.
import { cleanCause } from '../sanitize'
import { docsLink } from '../docs-link'
import type { ApiErrorCode, InteractionErrorCode, PlayerTokenErrorCode, RateLimitErrorCode, ValidationErrorCode } from './error-codes'
import type { ErrorDetails } from './error-details'
import type { Issue } from './issue'
import { REMEDIES } from './remedies'

/** Every code of every error of the SDK. */
export type ErrorCode =
  | ConfigurationErrorCode
  | AuthorizationErrorCode
  | SessionErrorCode
  | NetworkErrorCode
  | ProtocolErrorCode
  | RateLimitErrorCode
  | ValidationErrorCode
  | ApiErrorCode
  | InteractionErrorCode
  | PlayerTokenErrorCode

/** After `instanceof FoyerError` TypeScript infers `any` for the parameter; `code` is then any error code. */
type Known<Code> = unknown extends Code ? ErrorCode : Code

/**
 * Base class of every rejection of every public call. Safe to log and to serialize: it never holds a token, a code, a full URL or a body.
 */
export abstract class FoyerError<Code extends ErrorCode = ErrorCode> extends Error {
  /** Stable, for `switch`. The message is for people and may change. */
  declare readonly code: Known<Code>
  /** `true` only when the same call may succeed later without a change of the code or the settings. */
  declare readonly retryable: boolean
  /** Link to this code's entry in the manual, for example `docs/errors.md#popup_blocked` in the package. */
  declare readonly help: string

  /** The message consists of the code in words, the `subject`, and the remedy if there is one. */
  constructor(code: Code, subject = '', { cause, remedy = REMEDIES[code] ?? '', ...details }: ErrorDetails = {}) {
    const { emulatorRule } = details
    const summary = code.replace(/_/g, ' ') + (subject && `: ${subject}`)
    super(summary + (remedy && `. ${remedy}`) + (emulatorRule ? ` (emulator: ${emulatorRule})` : ''))
    Object.assign(this, { code, retryable: false, help: docsLink(code), ...details })
    // Not the second argument of `Error`: engines that run the UMD build ignore it.
    const safeCause = cause instanceof FoyerError ? cause : cleanCause(cause)
    if (safeCause !== undefined) Object.defineProperty(this, 'cause', { value: safeCause, configurable: true })
  }

  /** Plain data for logs and for other processes: name, code, message, and the fields of the class. */
  toJSON(): Record<string, unknown> {
    return Object.assign<Record<string, unknown>, this>({ message: this.message }, this)
  }
}

/** Codes of `ConfigurationError`. */
export type ConfigurationErrorCode =
  | 'missing_service_host'
  | 'missing_application_id'
  | 'insecure_endpoint'
  | 'invalid_argument'
  | 'unsupported'
  | 'closed'
  /** The callback page is missing, or belongs to another version of the SDK. */
  | 'callback_unavailable'
  /** Electron: a page that `windows` does not list called the client of the main process. */
  | 'untrusted_window'
  /** Other writers keep changing the same record: let one write. */
  | 'contended'
  /** The page does not run in an Activity: its address has no launch parameters, or there is no parent window. */
  | 'no_activity_host'

/** The game's code or configuration is wrong: fix the code. */
export class ConfigurationError extends FoyerError<ConfigurationErrorCode> {
  /** Name of the class, for logs. */
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

/** Codes of `AuthorizationError`. */
export type AuthorizationErrorCode =
  | OAuthErrorCode
  /** The service returned an error that no specification lists; see `serviceError`. */
  | 'authorization_failed'
  /** The browser opened no window: call from the player's click, or use `redirectSurface()`. */
  | 'popup_blocked'
  | 'window_closed'
  /** Electron: the system opened no browser. */
  | 'browser_unavailable'
  | 'aborted'
  | 'timed_out'
  /** Too many sign-in attempts are pending; the oldest was dropped. */
  | 'superseded'
  /** The player came back to the page without a result (the back button). */
  | 'stale'
  /** The callback matches no pending attempt: it was used before, has expired, or was started elsewhere. */
  | 'state_mismatch'
  | 'issuer_mismatch'
  | 'redirect_mismatch'
  | 'malformed_callback'
  | 'response_type_mismatch'
  | 'missing_code'
  /** The service granted more scopes than requested, and the client's `refuseExtraScopes` is set. */
  | 'extra_scopes'
  /** The surface threw; see `cause`. */
  | 'surface_failed'

/** Details of an `AuthorizationError`. */
export interface AuthorizationErrorDetails extends ErrorDetails {
  /** Subject of the message. */
  subject?: string
  /** Error code that the service sent. */
  serviceError?: string
  /** Description that the service sent. */
  untrustedDescription?: string | undefined
}

/** Codes that recur until the code or the settings change. */
const PERMANENT: ReadonlySet<AuthorizationErrorCode> = new Set<AuthorizationErrorCode>([
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'authorization_failed',
  'issuer_mismatch',
  'redirect_mismatch',
  'surface_failed',
])

/** Sign-in failed: let the player try again if the error is `retryable`. */
export class AuthorizationError extends FoyerError<AuthorizationErrorCode> {
  /** Name of the class, for logs. */
  override readonly name = 'AuthorizationError'
  /** The error code that the service sent, if any. Visible ASCII, 64 characters at most. */
  declare readonly serviceError?: string
  /**
   * The description that the service sent. It arrived in a URL, so anyone may have written it: show it as text only. 256 characters at
   * most.
   */
  declare readonly untrustedDescription?: string
  /** Emulator only: the rule that rejected the request. For developers; no service sends one. */
  declare readonly emulatorRule?: string

  constructor(code: AuthorizationErrorCode, { subject = '', ...details }: AuthorizationErrorDetails = {}) {
    super(code, subject, { retryable: !PERMANENT.has(code), ...details })
  }
}

/** Codes of `SessionError`. */
export type SessionErrorCode =
  | 'signed_out'
  /** The service rejected the refresh token: it was revoked, or is too old. */
  | 'refresh_rejected'
  /** The service rejected the refresh token after a refresh whose response was lost: that refresh had used the token up. */
  | 'refresh_answer_lost'
  /** The service rejected a refresh token that had been used before: the store was reset to an older state. */
  | 'token_rolled_back'
  /** The access token has expired or was rejected, and there is no refresh token. */
  | 'session_expired'
  /** A refresh was sent and its outcome is unknown. Retryable: the session still exists. */
  | 'refresh_in_doubt'

/** There is no usable session: sign in again, unless the error is `retryable`. */
export class SessionError extends FoyerError<SessionErrorCode> {
  /** Name of the class, for logs. */
  override readonly name = 'SessionError'
}

/** Codes of `NetworkError`. */
export type NetworkErrorCode =
  | 'offline'
  | 'timed_out'
  | 'aborted'
  | 'connection_failed'
  /** A part of the SDK could not be loaded, most often after a deployment that removed it: reload the page. */
  | 'reload_required'

/** No response arrived: try again. */
export class NetworkError extends FoyerError<NetworkErrorCode> {
  /** Name of the class, for logs. */
  override readonly name = 'NetworkError'

  /** `route` is a method and a path, never a full URL. */
  constructor(code: NetworkErrorCode, route: string, details?: ErrorDetails) {
    super(code, route, { retryable: code !== 'aborted', ...details })
  }
}

/** Codes of `ProtocolError`. */
export type ProtocolErrorCode = 'malformed_response' | 'response_too_large' | 'invalid_id_token' | 'missing_id_token' | 'keys_unavailable'

/** The service broke its own contract: report it. `path` names the field, `expected` its required content, `got` what arrived. */
export class ProtocolError extends FoyerError<ProtocolErrorCode> {
  /** Name of the class, for logs. */
  override readonly name = 'ProtocolError'
  /** Path of the invalid field, for example `expires_in`. */
  declare readonly path?: string
  /** Expected value, in words. */
  declare readonly expected?: string
  /** Kind of the value that arrived, for example `null` or `a number`. Never the value. */
  declare readonly got?: string
  /** Id of what the response is about, if it could be read: a created lobby exists although its response is malformed. */
  declare readonly resourceId?: string
}

/** The service rejected a request that is not part of signing in: read `status` and `apiCode`. */
export class ApiError extends FoyerError<ApiErrorCode> {
  /** Name of the class, for logs. */
  override readonly name = 'ApiError'
  /** HTTP status of the response; 0 for an error of an Activity's host window. */
  declare readonly status: number
  /** The service's own error number (docs/interface/errors.md#numbers), when its body held one. */
  declare readonly apiCode?: number
  /** Faults in the body that the service found, with the same paths as the SDK's own checks. */
  declare readonly issues?: readonly Issue[]
  /** Emulator only: the rule that rejected the request. For developers; no service sends one. */
  declare readonly emulatorRule?: string

  constructor(code: ApiErrorCode, route: string, details: ErrorDetails & { status: number; apiCode?: number; issues?: readonly Issue[] }) {
    super(code, route, { retryable: details.status >= 500 || details.status === 429, ...details })
  }
}
