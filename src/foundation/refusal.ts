/** What the service's own refusals become. Loaded when one comes. */
import { ApiError, AuthorizationError, type OAuthErrorCode } from './errors'

const KNOWN: ReadonlySet<string> = new Set<OAuthErrorCode>([
  'access_denied',
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'server_error',
  'temporarily_unavailable',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

/** A refusal at the authorize page (RFC 6749 section 4.1.2.1). */
export function authorizeRefusal(error: string, description: string | undefined): AuthorizationError {
  const details = description ? { untrustedDescription: clean(description, 256) } : {}
  return new AuthorizationError(isKnown(error) ? error : 'authorization_failed', { serviceError: clean(error, 64), ...details })
}

/** A refusal at the token endpoint (RFC 6749 section 5.2). The description is left out: servers quote the request in it. */
export function tokenRefusal(status: number, error: unknown): AuthorizationError | ApiError {
  if (typeof error === 'string' && status < 500 && status !== 429) return authorizeRefusal(error, undefined)
  return new ApiError(`http_${status}`, 'POST /oauth2/token', { status })
}

/** ms for which the service asks to be left alone, by the `Retry-After` of its answer: seconds, or a date by its own clock. 0 for nonsense. */
export function askedPause(retryAfter: string | null | undefined, now: number): number {
  return Math.round(Number(retryAfter) * 1000 || Date.parse(retryAfter ?? '') - now) || 0
}

function isKnown(word: string): word is OAuthErrorCode {
  return KNOWN.has(word)
}

/** Visible ASCII only, and not much of it: the text may come from anyone. */
function clean(text: string, length: number): string {
  return text.replace(/[^ -~]/g, '?').slice(0, length)
}
