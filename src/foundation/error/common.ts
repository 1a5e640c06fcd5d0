/** The errors that any game can meet: until a player is signed in, while they are, and in every request. */
// In one file, since they are loaded together.
import { cleanCause } from '../clean'
import { docsLink } from '../docs-link'
import type { ApiErrorCode, InteractionErrorCode, RateLimitErrorCode, ValidationErrorCode } from './codes'
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

/** What an error may carry beside its code. Of a `cause` that is no error of the SDK a cleaned copy is kept (`clean.ts`): it may quote a request. */
export interface ErrorDetails {
  cause?: unknown
  retryable?: boolean
  /** What to do, in one sentence, where it differs from what `REMEDIES` says for the code. Part of the message only. */
  remedy?: string
  /** Of an `ApiError` and an `AuthorizationError`. */
  emulatorRule?: string | undefined
  /** Of a `ProtocolError`. */
  path?: string
  /** Of a `ProtocolError`. */
  expected?: string
}

/** After `instanceof FoyerError` TypeScript takes `any` for the parameter: then it is any code that there is. */
type Known<Code> = unknown extends Code ? ErrorCode : Code

/** The base of every rejection of every public call. Safe to log and to serialize: it never holds a token, a code, a full URL or a body. */
export abstract class FoyerError<Code extends ErrorCode = ErrorCode> extends Error {
  /** Stable, for `switch`. The message is for people and may change. */
  declare readonly code: Known<Code>
  /** `true` only when the same call may succeed later without a change of the code or the settings. */
  declare readonly retryable: boolean
  /** The entry of this code in the manual, for example `docs/errors.md#popup_blocked` in the package. */
  declare readonly help: string

  /** The message is the code in words, the `subject` that it is about, and what to do, where a developer can do something. */
  constructor(code: Code, subject = '', { cause, remedy = REMEDIES[code] ?? '', ...details }: ErrorDetails = {}) {
    const { emulatorRule } = details
    const words = code.replace(/_/g, ' ') + (subject && `: ${subject}`)
    super(words + (remedy && `. ${remedy}`) + (emulatorRule ? ` (emulator: ${emulatorRule})` : ''))
    Object.assign(this, { code, retryable: false, help: docsLink(code), ...details })
    // Not the second argument of `Error`: engines that run the UMD build ignore it.
    const kept = cause instanceof FoyerError ? cause : cleanCause(cause)
    if (kept !== undefined) Object.defineProperty(this, 'cause', { value: kept, configurable: true })
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
  /** The page that a sign-in returns to is missing, or does not belong to this version of the SDK. */
  | 'callback_unavailable'
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
  /** More scopes were granted than were asked for, and the client's `refuseExtraScopes` is set. */
  | 'extra_scopes'
  /** The surface threw; see `cause`. */
  | 'surface_failed'

export interface AuthorizationErrorDetails extends ErrorDetails {
  /** What the error is about, for its message. */
  subject?: string
  serviceError?: string
  untrustedDescription?: string | undefined
}

/** Codes that come back until the code or the settings change. */
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

/** Signing in did not work out: let the player try again, where it is `retryable`. */
export class AuthorizationError extends FoyerError<AuthorizationErrorCode> {
  override readonly name = 'AuthorizationError'
  /** The service's own error word, when it sent one. Visible ASCII, 64 characters at most. */
  declare readonly serviceError?: string
  /** The service's own description. It arrived in a URL, so anyone may have written it: show it as text only. 256 characters at most. */
  declare readonly untrustedDescription?: string
  /** Against the emulator: the rule that refused. For developers; no service sends one. */
  declare readonly emulatorRule?: string

  constructor(code: AuthorizationErrorCode, { subject = '', ...details }: AuthorizationErrorDetails = {}) {
    super(code, subject, { retryable: !PERMANENT.has(code), ...details })
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

export type NetworkErrorCode =
  | 'offline'
  | 'timed_out'
  | 'aborted'
  | 'connection_failed'
  /** A part of the SDK could not be loaded, most often after a deployment that removed it: reload the page. */
  | 'reload_required'

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
export class ApiError extends FoyerError<ApiErrorCode> {
  override readonly name = 'ApiError'
  /** HTTP status of the answer; 0 for the word of an Activity's host window. */
  declare readonly status: number
  /** The service's own error number (supplement A.6.2), when its body held one. */
  declare readonly apiCode?: number
  /** What the service says is wrong with the body, in the same paths as the SDK's own checks. */
  declare readonly issues?: readonly Issue[]
  /** Against the emulator: the rule that refused. For developers; no service sends one. */
  declare readonly emulatorRule?: string

  constructor(code: ApiErrorCode, route: string, details: ErrorDetails & { status: number; apiCode?: number; issues?: readonly Issue[] }) {
    super(code, route, { retryable: details.status >= 500 || details.status === 429, ...details })
  }
}
