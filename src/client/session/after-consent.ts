/** Everything that follows a consent, as one part: reading the callback, redeeming the code, and refreshing the tokens later. */
export { verifyCallback } from '../../shared/authorization/verify-callback'
export { Refresher } from './refresh'
export { TokenClient } from './token-client'
