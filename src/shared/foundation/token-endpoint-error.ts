/** Maps error responses of the token endpoint to errors of the SDK, and parses `Retry-After`. */
import { ApiError, type AuthorizationError } from './errors'
import { authorizationErrorFrom, ruleOf } from './oauth-errors'

/** An error response of the token endpoint. */
export interface TokenErrorResponse {
  status: number
  body: Readonly<Record<string, unknown>>
  emulatorRule?: string | null | undefined
  /** Like `POST /oauth2/token`. */
  route: string
}

/** Error response of the token endpoint (RFC 6749 section 5.2). The description is left out, since servers quote the request in it. */
export function tokenErrorFrom({ status, body, emulatorRule, route }: TokenErrorResponse): AuthorizationError | ApiError {
  const { error } = body
  const details = ruleOf(emulatorRule)
  if (typeof error === 'string' && status < 500 && status !== 429) return authorizationErrorFrom(error, undefined, details)
  return new ApiError(`http_${status}`, route, { status, ...details })
}

/** The wait of a `Retry-After` header in ms: seconds, or a date by the server's clock. 0 if it is invalid. */
export function parseRetryAfter(retryAfter: string | null | undefined, now: number): number {
  return Math.round(Number(retryAfter) * 1000 || Date.parse(retryAfter ?? '') - now) || 0
}
