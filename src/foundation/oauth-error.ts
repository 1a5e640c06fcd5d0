/** The error words that OAuth 2 and OpenID Connect define, as codes of ours. */
import type { OAuthErrorCode } from './errors'

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

/** The word as a code when a specification lists it. */
export function knownErrorCode(word: unknown): OAuthErrorCode | undefined {
  return isKnown(word) ? word : undefined
}

function isKnown(word: unknown): word is OAuthErrorCode {
  return typeof word === 'string' && KNOWN.has(word)
}
