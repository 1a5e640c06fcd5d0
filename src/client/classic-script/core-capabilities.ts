/** The capabilities inside the classic script of sign-in and sessions, which lacks the others. Replaces both files `capabilities.ts` in that build. */
import { ConfigurationError } from '../../shared/foundation/errors'

export {
  loadAfterConsent,
  loadTokenCalls,
  loadCallbackHandler,
  loadArgumentError,
  loadBrowserSessions,
  loadStoredSession,
  loadPopup,
  loadAfterRedirect,
  loadStream,
} from './static-capabilities'

export const loadPlayer = leftOut
export const loadActivity = leftOut
export const loadAccounts = leftOut
export const loadBackend = leftOut
export const loadCallbackLog = leftOut
export const loadBackendSession = leftOut
export const loadAppLinks = leftOut
export const loadPage = leftOut
export const loadDevelopment = leftOut

/** @throws ConfigurationError `unsupported`. */
async function leftOut(): Promise<never> {
  throw new ConfigurationError('unsupported', 'foyer.core.umd.js', {
    remedy: 'It has sign-in and sessions only: load index.umd.js',
  })
}
