/** The errors of a request to the token endpoint that the service refuses, and the pause that it asks for. */
import { ApiError, type AuthorizationError } from './errors'
import { authorizationErrorFrom, ruleOf } from './oauth-errors'

/** An answer of the token endpoint that is no grant. */
export interface TokenErrorResponse {
  status: number
  body: Readonly<Record<string, unknown>>
  emulatorRule?: string | null | undefined
}

/** A refusal at the token endpoint (RFC 6749 section 5.2). The description is left out: servers quote the request in it. */
export function tokenErrorFrom({ status, body, emulatorRule }: TokenErrorResponse): AuthorizationError | ApiError {
  const { error } = body
  const details = ruleOf(emulatorRule)
  if (typeof error === 'string' && status < 500 && status !== 429) return authorizationErrorFrom(error, undefined, details)
  return new ApiError(`http_${status}`, 'POST /oauth2/token', { status, ...details })
}

/** ms for which the service asks to be left alone, by the `Retry-After` of its answer: seconds, or a date by its own clock. 0 for nonsense. */
export function parseRetryAfter(retryAfter: string | null | undefined, now: number): number {
  return Math.round(Number(retryAfter) * 1000 || Date.parse(retryAfter ?? '') - now) || 0
}
