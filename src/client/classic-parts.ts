/** The modules that load later elsewhere, inside a classic script: it has nowhere to load them from. Replaces `parts.ts` in that build. */
import { createExchange } from './context/exchange'
import { createAccountMethods } from './groups/account-methods'
import { createActivityMethods } from './groups/activity-methods'
import { createAuthorizationMethods } from './groups/authorization-methods'
import { createBackendMethods, createPlayerRequests } from './groups/backend-methods'
import { createLobbyMethods } from './groups/lobby-methods'
import { askForTokens, createTokenMethods, redeem, revokeSession } from './groups/token-methods'
import { createUserMethods } from './groups/user-methods'
import type * as parts from './parts'

export const loadExchange: typeof parts.loadExchange = async () => ({ createExchange })
export const loadAccountMethods: typeof parts.loadAccountMethods = async () => ({ createAccountMethods })
export const loadActivityMethods: typeof parts.loadActivityMethods = async () => ({ createActivityMethods })
export const loadAuthorizationMethods: typeof parts.loadAuthorizationMethods = async () => ({
  createAuthorizationMethods,
})
export const loadBackendMethods: typeof parts.loadBackendMethods = async () => ({
  createBackendMethods,
  createPlayerRequests,
})
export const loadLobbyMethods: typeof parts.loadLobbyMethods = async () => ({ createLobbyMethods })
export const loadTokenMethods: typeof parts.loadTokenMethods = async () => ({
  askForTokens,
  createTokenMethods,
  redeem,
  revokeSession,
})
export const loadUserMethods: typeof parts.loadUserMethods = async () => ({ createUserMethods })
