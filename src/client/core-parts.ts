/** The lazily loaded modules in the classic script of sign-in and sessions, which lacks the others. Replaces `parts.ts` in that build. */
import { leftOut } from '../shared/foundation/left-out'
import type * as parts from './parts'

export { loadExchange, loadAuthorizationMethods, loadTokenMethods } from './classic-parts'
export const loadAccountMethods: typeof parts.loadAccountMethods = leftOut
export const loadActivityMethods: typeof parts.loadActivityMethods = leftOut
export const loadBackendMethods: typeof parts.loadBackendMethods = leftOut
export const loadLobbyMethods: typeof parts.loadLobbyMethods = leftOut
export const loadUserMethods: typeof parts.loadUserMethods = leftOut
