/** Modules that load when they are first needed. Classic scripts contain them: see `classic-parts.ts` and `core-parts.ts`. */
import { importPart } from '../shared/foundation/import-part'

export const loadExchange = () => importPart(import('./context/exchange'))
export const loadAccountMethods = () => importPart(import('./groups/account-methods'))
export const loadActivityMethods = () => importPart(import('./groups/activity-methods'))
export const loadAuthorizationMethods = () => importPart(import('./groups/authorization-methods'))
export const loadBackendMethods = () => importPart(import('./groups/backend-methods'))
export const loadLobbyMethods = () => importPart(import('./groups/lobby-methods'))
export const loadTokenMethods = () => importPart(import('./groups/token-methods'))
export const loadUserMethods = () => importPart(import('./groups/user-methods'))
