/** Modules that load when they are first needed. Classic scripts contain them: see `classic-parts.ts` and `core-parts.ts`. */
import { importPart } from '../../shared/foundation/import-part'

export const loadSessionPersistence = () => importPart(import('../session/session-persistence'))
export const loadAfterRedirect = () => importPart(import('./after-redirect'))
export const loadBackendSessions = () => importPart(import('./backend-session/backend-sessions'))
export const loadBrowserSessions = () => importPart(import('./browser-sessions'))
export const loadLocalServiceFault = () => importPart(import('./local-service-fault'))
export const loadOpenLobbyStream = () => importPart(import('./open-lobby-stream'))
export const loadPageServices = () => importPart(import('./page-services'))
export const loadWatchPopup = () => importPart(import('./watch-popup'))
