/** The modules that load later elsewhere, inside a classic script: it has nowhere to load them from. Replaces `parts.ts` in that build. */
import { SessionPersistence, persistIn } from '../session/session-persistence'
import { relayFromGame, returnToLeftPage, takeAttempt, toRegisteredUrl } from './after-redirect'
import { createBackendSessions, redeemInBackend } from './backend-session/backend-sessions'
import { createBrowserSessions } from './browser-sessions'
import { findLocalServiceFault } from './local-service-fault'
import { openLobbyStream } from './open-lobby-stream'
import { inviteAddress, onPageHide, openRateLimitStore } from './page-services'
import { lostQueryFault, watchPopup } from './watch-popup'
import type * as parts from './parts'

export const loadSessionPersistence: typeof parts.loadSessionPersistence = async () => ({
  SessionPersistence,
  persistIn,
})
export const loadAfterRedirect: typeof parts.loadAfterRedirect = async () => ({
  relayFromGame,
  returnToLeftPage,
  takeAttempt,
  toRegisteredUrl,
})
export const loadBackendSessions: typeof parts.loadBackendSessions = async () => ({
  createBackendSessions,
  redeemInBackend,
})
export const loadBrowserSessions: typeof parts.loadBrowserSessions = async () => ({ createBrowserSessions })
export const loadLocalServiceFault: typeof parts.loadLocalServiceFault = async () => ({
  findLocalServiceFault,
})
export const loadOpenLobbyStream: typeof parts.loadOpenLobbyStream = async () => ({ openLobbyStream })
export const loadPageServices: typeof parts.loadPageServices = async () => ({
  inviteAddress,
  onPageHide,
  openRateLimitStore,
})
export const loadWatchPopup: typeof parts.loadWatchPopup = async () => ({
  lostQueryFault,
  toRegisteredUrl,
  watchPopup,
})
