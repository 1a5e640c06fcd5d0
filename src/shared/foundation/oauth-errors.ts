/** Maps error responses of the authorization and token endpoints to errors of the SDK, with their remedies. */
import { cleanText } from './error-text'
import { AuthorizationError, type ErrorDetails, type OAuthErrorCode, ApiError } from './errors'
import { shown } from './log-entry'

/** For a 404 that is none of the service. */
export const NO_SERVICE = 'Is service.host the address of the service, and are its paths the usual ones?'

/** Remedies for errors that are most likely a mistake in code or settings. */
const REMEDIES: Partial<Record<string, string>> = {
  invalid_scope:
    'The service does not support a requested scope, or does not grant it to this application; see untrustedDescription',
  invalid_client:
    'Check the application id and, in a backend, the client secret. A game without a backend needs the switch "Public Client" of the application (developer portal, OAuth2)',
  unauthorized_client: "Allow this way to sign in in the application's settings",
  invalid_grant: 'The code or token was used, has expired, or belongs to another client: sign in again',
}

const KNOWN =
  /^(access_denied|server_error|temporarily_unavailable|unauthorized_client|account_selection_required|(login|consent|interaction)_required|invalid_(request|client|grant|scope)|unsupported_(grant|response)_type)$/

type RefusalDetails = Pick<ErrorDetails, 'emulatorRule'>

/** Error response of the authorization endpoint (RFC 6749 section 4.1.2.1). */
export function authorizationErrorFrom(
  error: string,
  description: string | undefined,
  details: RefusalDetails = {},
): AuthorizationError {
  return new AuthorizationError(isKnown(error) ? error : 'authorization_failed', {
    serviceError: clean(error, 64),
    // For standard codes only: any other string comes from the service and could be the name of an object's property.
    remedy: (isKnown(error) && REMEDIES[error]) || '',
    ...(description && { untrustedDescription: clean(description, 256) }),
    ...details,
  })
}

/** The emulator's reason, cleaned for use in an error; empty if none was sent. */
export function ruleOf(header: string | null | undefined): RefusalDetails {
  return header ? { emulatorRule: cleanText(header, 200) } : {}
}

function isKnown(code: string): code is OAuthErrorCode {
  return KNOWN.test(code)
}

/** Visible ASCII only, cut to a length: the text is untrusted. */
function clean(text: string, length: number): string {
  return text.replace(/[^ -~]/g, '?').slice(0, length)
}

/** An error response of the token endpoint. */
export interface TokenErrorResponse {
  status: number
  body: Readonly<Record<string, unknown>>
  emulatorRule?: string | null | undefined
  /** Like `POST /oauth2/token`. */
  route: string
}

/** Error response of the token endpoint (RFC 6749 section 5.2). The description is left out, since servers quote the request in it. */
export function tokenErrorFrom({
  status,
  body,
  emulatorRule,
  route,
}: TokenErrorResponse): AuthorizationError | ApiError {
  const { error } = body
  const details = ruleOf(emulatorRule)
  if (typeof error === 'string' && status < 500 && status !== 429)
    return authorizationErrorFrom(error, undefined, details)
  return new ApiError(`http_${status}`, route, {
    status,
    ...details,
    ...(status === 404 && typeof error !== 'string' && { remedy: NO_SERVICE }),
  })
}

/** The wait of a `Retry-After` header in ms: seconds, or a date by the server's clock. 0 if it is invalid. */
export function parseRetryAfter(retryAfter: string | null | undefined, now: number): number {
  return Math.round(Number(retryAfter) * 1000 || Date.parse(retryAfter ?? '') - now) || 0
}

const LOCAL = /^(https?:\/\/)(localhost|127\.0\.0\.1|\[::1])(?=[:/]|$)/

/** Addresses of this machine that differ in its name only: to a browser and to OpenID Connect they are two origins. */
export function isSameMachine(one: string, other: string): boolean {
  return (
    one !== other &&
    LOCAL.test(one) &&
    LOCAL.test(other) &&
    one.replace(LOCAL, '$1') === other.replace(LOCAL, '$1')
  )
}

/** `got` is untrusted: it is shortened and made printable. */
export function issuerRemedy(got: unknown, expected: string): string {
  if (got === undefined) return `The response names no issuer, and service.issuer is ${expected}`
  const both = `The response is from ${shown(got)}, and service.issuer is ${expected}`
  if (typeof got === 'string' && isSameMachine(got, expected))
    return `${both}: localhost and 127.0.0.1 are two origins, so use one name everywhere`
  return `${both}: they must be equal, and service.issuer sets it`
}
