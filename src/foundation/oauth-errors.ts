/** The errors of an authorization that the service refuses. */
import { cleanText } from './clean'
import { AuthorizationError, type ErrorDetails, type OAuthErrorCode } from './errors'

/** What a developer can do, where it is most likely a mistake in code or settings. */
const REMEDIES: Partial<Record<string, string>> = {
  invalid_scope: 'The service does not know a scope that was asked for, or does not grant it to this application',
  invalid_client: 'Check the application id, the client secret, and that the application is a public client',
  unauthorized_client: "Allow this way to sign in in the application's settings",
  invalid_grant: 'The code or token was used, has expired, or belongs to another client: sign in again',
}

const KNOWN =
  /^(access_denied|server_error|temporarily_unavailable|unauthorized_client|account_selection_required|(login|consent|interaction)_required|invalid_(request|client|grant|scope)|unsupported_(grant|response)_type)$/

type RefusalDetails = Pick<ErrorDetails, 'emulatorRule'>

/** A refusal at the authorize page (RFC 6749 section 4.1.2.1). */
export function authorizationErrorFrom(error: string, description: string | undefined, details: RefusalDetails = {}): AuthorizationError {
  return new AuthorizationError(isKnown(error) ? error : 'authorization_failed', {
    serviceError: clean(error, 64),
    // Of known words only: the word is the service's, and may be the name of anything.
    remedy: (isKnown(error) && REMEDIES[error]) || '',
    ...(description && { untrustedDescription: clean(description, 256) }),
    ...details,
  })
}

/** The emulator's reason, fit for an error; nothing where none was sent. */
export function ruleOf(header: string | null | undefined): RefusalDetails {
  return header ? { emulatorRule: cleanText(header, 200) } : {}
}

function isKnown(word: string): word is OAuthErrorCode {
  return KNOWN.test(word)
}

/** Visible ASCII only, and not much of it: the text may come from anyone. */
function clean(text: string, length: number): string {
  return text.replace(/[^ -~]/g, '?').slice(0, length)
}
