/** The capabilities inside a classic script, which has nowhere to load them from. Replaces both files `capabilities.ts` in that build. */
import * as accounts from '../groups/account-calls'
import * as activity from '../groups/activity-calls'
import * as backend from '../groups/backend-calls'
import type * as client from '../context/capabilities'
import * as player from '../groups/player-calls'
import * as signIn from '../session/token-client'
import * as tokens from '../sign-in/token-calls'
import * as argumentError from '../../shared/authorization/argument-error'
import * as callbackLog from '../../shared/authorization/callback-checks'
import * as redirect from '../../shared/authorization/create-callback-handler'
import * as appLinks from '../page/app-links'
import * as afterRedirect from '../page/after-redirect'
import * as backendSession from '../page/backend-held-sessions'
import * as storedSession from '../session/stored-session'
import * as session from '../page/browser-sessions'
import type * as page from '../page/capabilities'
import * as development from '../page/local-service-fault'
import * as stream from '../page/open-lobby-stream'
import * as services from '../page/page-services'
import * as popup from '../page/watch-popup'

export const loadAfterConsent: typeof client.loadAfterConsent = async () => signIn
export const loadTokenCalls: typeof client.loadTokenCalls = async () => tokens
export const loadCallbackHandler: typeof client.loadCallbackHandler = async () => redirect
export const loadPlayer: typeof client.loadPlayer = async () => player
export const loadActivity: typeof client.loadActivity = async () => activity
export const loadAccounts: typeof client.loadAccounts = async () => accounts
export const loadBackend: typeof client.loadBackend = async () => backend
export const loadArgumentError: typeof client.loadArgumentError = async () => argumentError
export const loadCallbackLog: typeof client.loadCallbackLog = async () => callbackLog

export const loadBrowserSessions: typeof page.loadBrowserSessions = async () => session
export const loadStoredSession: typeof page.loadStoredSession = async () => storedSession
export const loadBackendSession: typeof page.loadBackendSession = async () => backendSession
export const loadPopup: typeof page.loadPopup = async () => popup
export const loadAfterRedirect: typeof page.loadAfterRedirect = async () => afterRedirect
export const loadAppLinks: typeof page.loadAppLinks = async () => appLinks
export const loadPage: typeof page.loadPage = async () => services
export const loadStream: typeof page.loadStream = async () => stream
export const loadDevelopment: typeof page.loadDevelopment = async () => development
