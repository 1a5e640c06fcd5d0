/** The lazily loaded modules in the classic script of sign-in and sessions, which lacks the others. Replaces `parts.ts` in that build. */
import { leftOut } from '../../shared/foundation/left-out'
import type * as parts from './parts'

export {
  loadSessionPersistence,
  loadAfterRedirect,
  loadBrowserSessions,
  loadOpenLobbyStream,
  loadWatchPopup,
} from './classic-parts'
export const loadBackendSessions: typeof parts.loadBackendSessions = leftOut
export const loadLocalServiceFault: typeof parts.loadLocalServiceFault = leftOut
export const loadPageServices: typeof parts.loadPageServices = leftOut
