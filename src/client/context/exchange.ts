/** Everything that follows a consent, as one part: reading the callback, redeeming the code, and refreshing the tokens later. */
import { verifyCallback } from '../../shared/authorization/verify-callback'
import { tokenErrorFrom } from '../../shared/foundation/oauth-errors'
import { createTokenClient, type TokenClientOptions } from '../session/token-client'
import { createRefresher } from '../session/create-refresher'

export type Exchange = ReturnType<typeof createExchange>

export function createExchange(options: TokenClientOptions) {
  return { ...createTokenClient(options), verifyCallback, createRefresher, tokenErrorFrom }
}
