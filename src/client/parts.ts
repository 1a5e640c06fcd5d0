/** Modules that load when they are first needed. Classic scripts contain them: see `classic-parts.ts` and `core-parts.ts`. */
import { importPart } from '../foundation/import-part'

export const loadExchange = () => importPart(import('./context/exchange'))
export const loadAccountMethods = () => importPart(import('./methods/account-methods'))
export const loadActivityMethods = () => importPart(import('./methods/activity-methods'))
export const loadAuthorizationMethods = () => importPart(import('./methods/authorization-methods'))
export const loadBackendMethods = () => importPart(import('./methods/backend-methods'))
export const loadLobbyMethods = () => importPart(import('./methods/lobby-methods'))
export const loadTokenMethods = () => importPart(import('./methods/token-methods'))
export const loadUserMethods = () => importPart(import('./methods/user-methods'))
