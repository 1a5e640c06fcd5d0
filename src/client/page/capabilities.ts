/** Capabilities of a page whose code loads when it is first needed, each as one part. Classic scripts contain them: see `classic-script/static-capabilities.ts`. */
import { importPart } from '../../shared/foundation/async'

/** Sessions that the tabs of a browser share. */
export const loadBrowserSessions = () => importPart(import('./browser-sessions'))
/** The connection of a session to its token store. */
export const loadStoredSession = () => importPart(import('../session/stored-session'))
/** Sessions that the game's backend keeps. */
export const loadBackendSession = () => importPart(import('./backend-held-sessions'))
/** The watch of an open popup. */
export const loadPopup = () => importPart(import('./watch-popup'))
/** A return from the authorize page that needs more than the address bar. */
export const loadAfterRedirect = () => importPart(import('./after-redirect'))
/** Links of an app whose page is in a web view. */
export const loadAppLinks = () => importPart(import('./app-links'))
/** Rate limits that tabs share, and the end of a tab. */
export const loadPage = () => importPart(import('./page-services'))
export const loadStream = () => importPart(import('./open-lobby-stream'))
/** The look at a service on this machine. */
export const loadDevelopment = () => importPart(import('./local-service-fault'))
