/** Every error of the SDK: one class for each thing the caller can do about it, one stable `code` for each cause (docs/errors.md). */

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
  'missing_service_host' | 'missing_application_id' | 'insecure_endpoint' | 'invalid_argument' | 'unsupported' | 'closed'

/** The game's code or configuration is wrong: fix the code. */
export class ConfigurationError extends FoyerError<ConfigurationErrorCode> {
  override readonly name = 'ConfigurationError'
}

/** One fault of an input. `path` names the field, for example `scopes`; `params` holds the figures of the rule. */
export interface Issue {
  path: string
  code: string
  message: string
  params: Record<string, unknown>
  level: 'error' | 'warning'
}

export type ValidationErrorCode = 'invalid_argument' | 'invalid_body'

/** The input breaks a rule: fix the input. Holds every issue at once. */
export class ValidationError extends FoyerError<ValidationErrorCode> {
  override readonly name = 'ValidationError'
  readonly issues: readonly Issue[]

  constructor(code: ValidationErrorCode, issues: readonly Issue[]) {
    super(code, issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '))
    this.issues = issues
  }
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

export type SessionErrorCode = 'signed_out' | 'refresh_rejected'

/** There is no session any more: sign in again. */
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

/** The service refused a request that is not part of signing in: read `status` and `apiCode`. */
export class ApiError extends FoyerError {
  override readonly name = 'ApiError'
  /** HTTP status of the answer. */
  declare readonly status: number
  /** The service's own error number (supplement A.6.2), when its body held one. */
  declare readonly apiCode?: number

  constructor(code: string, route: string, details: ErrorDetails & { status: number; apiCode?: number }) {
    super(code, route, { retryable: details.status >= 500 || details.status === 429, ...details })
  }
}

export type ProtocolErrorCode = 'malformed_response' | 'response_too_large' | 'invalid_id_token' | 'missing_id_token' | 'keys_unavailable'

/** The service broke its own contract: report it. `path` says where, `expected` what should have stood there. */
export class ProtocolError extends FoyerError<ProtocolErrorCode> {
  override readonly name = 'ProtocolError'
  declare readonly path?: string
  declare readonly expected?: string
}

export type RateLimitErrorCode =
  /** The wait would be longer than `maxWait`. */
  | 'rate_limited'
  /** The service refused so many requests that it would soon block this address. */
  | 'too_many_refusals'

export interface RateLimitErrorDetails {
  retryAfter: number
  resetAt: number
  bucket: string
  scope: 'user' | 'global' | 'shared' | 'address'
}

/** A rate limit stands in the way: wait until `resetAt`. */
export class RateLimitError extends FoyerError<RateLimitErrorCode> {
  override readonly name = 'RateLimitError'
  /** ms until the call may be tried again. */
  declare readonly retryAfter: number
  /** The same as an instant, in epoch ms. */
  declare readonly resetAt: number
  /** Which limit it is, for example `join_lobby`. */
  declare readonly bucket: string
  /** Whose limit it is: the player's, the whole application's, the resource's, or this address's. */
  declare readonly scope: RateLimitErrorDetails['scope']

  constructor(code: RateLimitErrorCode, details: RateLimitErrorDetails) {
    super(code, details.bucket, { retryable: true, ...details })
  }
}
