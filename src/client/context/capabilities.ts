/** Capabilities of a client whose code loads when it is first needed, each as one part. Classic scripts contain them: see `classic-script/static-capabilities.ts`. */
import { importPart } from '../../shared/foundation/async'

/** Calls that follow a consent: callbacks are verified, and codes redeemed. */
export const loadAfterConsent = () => importPart(import('../session/token-client'))
/** Tokens from other sources, and revocation. */
export const loadTokenCalls = () => importPart(import('../sign-in/token-calls'))
/** Callbacks that arrive from outside. */
export const loadCallbackHandler = () =>
  importPart(import('../../shared/authorization/create-callback-handler'))
/** Everything with the player's own rate limits: lobbies, and reads of the player's account. */
export const loadPlayer = () => importPart(import('../groups/player-calls'))
export const loadActivity = () => importPart(import('../groups/activity-calls'))
export const loadAccounts = () => importPart(import('../groups/account-calls'))
export const loadBackend = () => importPart(import('../groups/backend-calls'))
/** Messages for invalid arguments of a sign-in. */
export const loadArgumentError = () => importPart(import('../../shared/authorization/argument-error'))
/** Report of the checks of a callback, for a log. */
export const loadCallbackLog = () => importPart(import('../../shared/authorization/callback-checks'))
