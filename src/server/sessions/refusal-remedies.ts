/** What a developer changes when the service refuses a sign-in for a reason in the game's own configuration. Pure. */
import { ApiError, AuthorizationError } from '../../shared/foundation/errors'
import { NO_SERVICE } from '../../shared/foundation/oauth-errors'

/** By the code of the service (RFC 6749 section 5.2). */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    'invalid_client',
    'Is FOYER_CLIENT_SECRET the client secret of this application, and not its bot token? Pass credentials: clientSecret(process.env.FOYER_CLIENT_SECRET)',
  ],
  ['unauthorized_client', "Allow this way to sign in in the application's settings"],
  [
    'invalid_grant',
    'The code was used or has ended; or it is of another application, or of another redirect URI than the page began with: applicationId and redirectUri are the same in page and backend',
  ],
  [
    'invalid_request',
    "Is the redirect URI registered in the application's settings, character by character?",
  ],
  ['invalid_scope', 'The service does not grant one of the scopes to this application: see scopes'],
  ['unsupported_grant_type', 'Is service.host the address of the service?'],
])

/** Undefined for what a player or the network has caused. */
export function refusalRemedyOf(error: unknown): string | undefined {
  if (error instanceof AuthorizationError) return REMEDIES.get(error.code)
  return error instanceof ApiError && error.status === 404 ? NO_SERVICE : undefined
}
