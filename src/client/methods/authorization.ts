/** What a game calls when it takes the steps of a sign-in one by one. */
import { createCallbackHandler } from '../../authorization/callback-handler'
import type { AuthorizationResult } from '../../authorization/result'
import type { Secret } from '../../foundation/secret'
import type { TokenSet } from '../../tokens/token-set'
import type { ClientContext } from '../context'

export interface AuthorizationMethods {
  /**
   * Takes the URL that an authorization came back to: after a full-page redirect, or as a deep link. The same URL gives the same result
   * again for a minute, and its code is redeemed once.
   * @throws AuthorizationError, for example `state_mismatch`, `access_denied`, `timed_out`.
   */
  handleCallback(url: string): Promise<AuthorizationResult | null>
  /**
   * Redeems a code for verified tokens and leaves `session` alone. `codeVerifier` is needed only for a challenge of the caller's own.
   * @throws AuthorizationError `invalid_grant`. @throws ProtocolError `invalid_id_token`, `keys_unavailable`. @throws NetworkError.
   */
  getToken(result: AuthorizationResult, codeVerifier?: Secret | string, options?: { signal?: AbortSignal }): Promise<TokenSet>
}

export function createAuthorizationMethods(context: ClientContext) {
  return {
    handleCallback: createCallbackHandler(context),
    async getToken(result: AuthorizationResult, codeVerifier?: Secret | string, options?: { signal?: AbortSignal }) {
      const { signal } = { ...options }
      const { redeem } = await context.exchange()
      return (await redeem(result, { codeVerifier, signal })).tokens
    },
  }
}
