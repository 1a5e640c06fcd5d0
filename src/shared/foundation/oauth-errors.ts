/** Maps OAuth error responses of the authorization endpoint to errors of the SDK. */
import { cleanText } from './values/clean-text'
import { AuthorizationError, type ErrorDetails, type OAuthErrorCode } from './errors'

/** Remedies for errors that are most likely a mistake in code or settings. */
const REMEDIES: Partial<Record<string, string>> = {
  invalid_scope: 'The service does not support a requested scope, or does not grant it to this application',
  invalid_client:
    'Check the application id and, in a backend, the client secret. A game without a backend needs the switch "Public Client" of the application (developer portal, OAuth2)',
  unauthorized_client: "Allow this way to sign in in the application's settings",
  invalid_grant: 'The code or token was used, has expired, or belongs to another client: sign in again',
}

const KNOWN =
  /^(access_denied|server_error|temporarily_unavailable|unauthorized_client|account_selection_required|(login|consent|interaction)_required|invalid_(request|client|grant|scope)|unsupported_(grant|response)_type)$/

type RefusalDetails = Pick<ErrorDetails, 'emulatorRule'>

/** Error response of the authorization endpoint (RFC 6749 section 4.1.2.1). */
export function authorizationErrorFrom(error: string, description: string | undefined, details: RefusalDetails = {}): AuthorizationError {
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
