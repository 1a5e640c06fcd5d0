/** Everything that follows a consent, as one part: reading the callback, redeeming the code, and refreshing the tokens later. */
import { verifyCallback } from '../../shared/authorization/verify-callback'
import { tokenErrorFrom } from '../../shared/foundation/oauth-errors'
import { createTokenClient, type TokenClient, type TokenClientOptions } from '../session/token-client'
import { createRefresher } from '../session/create-refresher'

export interface Exchange extends TokenClient {
  /** Turns a callback into a result. */
  verifyCallback: typeof verifyCallback
  /** Creates the function that refreshes a session. */
  createRefresher: typeof createRefresher
  /** The error of a response. */
  tokenErrorFrom: typeof tokenErrorFrom
}

export function createExchange(options: TokenClientOptions): Exchange {
  return { ...createTokenClient(options), verifyCallback, createRefresher, tokenErrorFrom }
}
