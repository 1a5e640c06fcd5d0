/** All errors of the SDK: one class for each kind of reaction, one stable `code` for each cause (docs/errors.md). Every export is public. */
import { cleanCause, docsLink, REMEDIES } from './error-text'
import type {
  ApiErrorCode,
  ErrorCode,
  ConfigurationErrorCode,
  AuthorizationErrorCode,
  SessionErrorCode,
  NetworkErrorCode,
  ProtocolErrorCode,
  RateLimitErrorCode,
  ValidationErrorCode,
} from './error-code'

export type * from './error-code'

/** A fault of an input. `path` names the field, for example `scopes`; `params` holds the figures of the rule. */
export interface Issue {
  /** Path of the field, for example `options[0].name`; empty for the whole input. */
  path: string
  /** Stable code of the rule. */
  code: string
  /** Explanation for developers. */
  message: string
  /** Figures of the rule, for example `{ max: 32 }`. */
  params: Record<string, unknown>
  /** Errors are rejected; warnings are not. */
  level: 'error' | 'warning'
}

/** Optional details of an error. A foreign `cause` is replaced by a sanitized copy, since it may quote a request. */
export interface ErrorDetails {
  /** Original error, sanitized before it is stored. */
  cause?: unknown
  /** Overrides the default of the class. */
  retryable?: boolean | undefined
  /** Remedy in one sentence; overrides the entry in `REMEDIES`. Part of the message only. */
  remedy?: string | undefined
  /** For `ApiError` and `AuthorizationError`. */
  emulatorRule?: string | undefined
  /** For `ProtocolError`. */
  path?: string | undefined
  /** For `ProtocolError`. */
  expected?: string | undefined
  /** For `ProtocolError`. */
  got?: string | undefined
  /** For `ProtocolError`. */
  resourceId?: string | undefined
}

/** The errors that any game can meet: during sign-in, with a session, and in every request. */
// In one file, since they are loaded together.

/** After `instanceof FoyerError` TypeScript infers `any` for the parameter; `code` is then any error code. */
type Known<Code> = unknown extends Code ? ErrorCode : Code

/** Marks errors of every copy of the SDK: a page may load two, and `import` and `require` load one each. */
const BRAND = Symbol.for('foyer-sdk.error')

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

  /** Name of the class, which `instanceof` compares with the `name` of an error of another copy. */
  static get kind(): string {
    return 'FoyerError'
  }

  /** Recognizes errors of another copy of the SDK too. A class that a game derives recognizes its own errors only. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    try {
      if (super[Symbol.hasInstance](value)) return true
      if (typeof value !== 'object' || value === null || !Object.prototype.hasOwnProperty.call(this, 'kind'))
        return false
      return (
        Reflect.get(value, BRAND) === true &&
        (this.kind === 'FoyerError' || this.kind === Reflect.get(value, 'name'))
      )
    } catch {
      // A proxy of the game that throws.
      return false
    }
  }

  /** True for errors of every copy of the SDK. */
  get [BRAND](): true {
    return true
  }

  /** The message consists of the code in words, the `subject`, and the remedy if there is one. */
  constructor(
    code: Code,
    subject = '',
    { cause, remedy = REMEDIES[code] ?? '', ...details }: ErrorDetails = {},
  ) {
    const { emulatorRule } = details
    const summary = code.replace(/_/g, ' ') + (subject && `: ${subject}`)
    super(summary + (remedy && `. ${remedy}`) + (emulatorRule ? ` (emulator: ${emulatorRule})` : ''))
    // Not assigned: with a frozen `Error.prototype` that throws.
    Object.defineProperty(this, 'name', {
      value: new.target.kind,
      enumerable: true,
      writable: true,
      configurable: true,
    })
    Object.assign(this, { code, retryable: false, help: docsLink(code), ...details })
    // Not the second argument of `Error`: engines that run the UMD build ignore it.
    const safeCause = cause instanceof FoyerError ? cause : cleanCause(cause)
    if (safeCause !== undefined)
      Object.defineProperty(this, 'cause', { value: safeCause, configurable: true })
  }

  /** Plain data for logs and for other processes: name, code, message, and the fields of the class. */
  toJSON(): Record<string, unknown> {
    return Object.assign<Record<string, unknown>, this>({ message: this.message }, this)
  }
}

/** The game's code or configuration is wrong: fix the code. */
export class ConfigurationError extends FoyerError<ConfigurationErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'ConfigurationError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'ConfigurationError'
}

/** Details of an `AuthorizationError`. */
export interface AuthorizationErrorDetails extends ErrorDetails {
  /** Subject of the message. */
  subject?: string | undefined
  /** Error code that the service sent. */
  serviceError?: string | undefined
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
  /** Name of the class. */
  static override get kind(): string {
    return 'AuthorizationError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'AuthorizationError'
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

/** There is no usable session: sign in again, unless the error is `retryable`. */
export class SessionError extends FoyerError<SessionErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'SessionError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'SessionError'
}

/** No response arrived: try again. */
export class NetworkError extends FoyerError<NetworkErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'NetworkError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'NetworkError'

  /** `route` is a method and a path, never a full URL. */
  constructor(code: NetworkErrorCode, route: string, details?: ErrorDetails) {
    super(code, route, { retryable: code !== 'aborted', ...details })
  }
}

/** The service broke its own contract: report it. `path` names the field, `expected` its required content, `got` what arrived. */
export class ProtocolError extends FoyerError<ProtocolErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'ProtocolError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'ProtocolError'
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
  /** Name of the class. */
  static override get kind(): string {
    return 'ApiError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'ApiError'
  /** HTTP status of the response; 0 for an error of an Activity's host window. */
  declare readonly status: number
  /** The service's own error number (docs/interface/errors.md#numbers), when its body held one. */
  declare readonly apiCode?: number
  /** Faults in the body that the service found, with the same paths as the SDK's own checks. */
  declare readonly issues?: readonly Issue[]
  /** Emulator only: the rule that rejected the request. For developers; no service sends one. */
  declare readonly emulatorRule?: string

  constructor(
    code: ApiErrorCode,
    route: string,
    details: ErrorDetails & {
      status: number
      apiCode?: number | undefined
      issues?: readonly Issue[] | undefined
    },
  ) {
    super(code, route, { retryable: details.status >= 500 || details.status === 429, ...details })
  }
}

/** Details of a `RateLimitError`. */
export interface RateLimitErrorDetails {
  /** ms until the call may be tried again. */
  retryAfter: number
  /** The same moment in epoch ms. */
  resetAt: number
  /** Name of the limit. */
  bucket: string
  /** Scope of the limit: the player, the whole application, the resource, or this IP address. */
  scope: 'user' | 'global' | 'shared' | 'address'
}

/** A rate limit prevents the call: wait until `resetAt`. */
export class RateLimitError extends FoyerError<RateLimitErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'RateLimitError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'RateLimitError'
  /** ms until the call may be tried again. */
  declare readonly retryAfter: number
  /** The same moment in epoch ms. */
  declare readonly resetAt: number
  /** Name of the limit, for example `join_lobby`. */
  declare readonly bucket: string
  /** Scope of the limit: the player, the whole application, the resource, or this IP address. */
  declare readonly scope: RateLimitErrorDetails['scope']

  constructor(code: RateLimitErrorCode, details: RateLimitErrorDetails) {
    const remedy = `Try again in ${Math.ceil(details.retryAfter / 1000)} s`
    super(code, details.bucket, { retryable: true, remedy, ...details })
  }
}

/** The input breaks a rule: fix the input. Holds every issue at once. */
export class ValidationError extends FoyerError<ValidationErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'ValidationError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'ValidationError'
  /** All issues of the input. */
  readonly issues: readonly Issue[]

  constructor(code: ValidationErrorCode, issues: readonly Issue[]) {
    super(code, issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '), { remedy: '' })
    this.issues = issues
  }
}
