/** Single steps of a sign-in: callback handling and code redemption. */
import { createCallbackHandler } from '../../authorization/create-callback-handler'
import type { AuthorizationResult } from '../../authorization/authorization-result'
import type { Secret } from '../../foundation/secret'
import type { TokenSet } from '../../tokens/token-set'
import type { ClientContext } from '../context/client-context'

export interface AuthorizationMethods {
  /**
   * Completes an authorization with the URL it came back to, after a full-page redirect or as a deep link. For one minute, the same URL
   * returns the same result; its code is redeemed once.
   *
   * @throws AuthorizationError, for example `state_mismatch`, `access_denied`, `timed_out`.
   */
  handleCallback(url: string): Promise<AuthorizationResult | null>
  /**
   * Redeems an authorization code and verifies the ID token. Does not change `session`. `codeVerifier` is required only if the arguments
   * contained a `codeChallenge`.
   *
   * @throws AuthorizationError `invalid_grant`. @throws ProtocolError `invalid_id_token`, `keys_unavailable`. @throws NetworkError.
   * @example
   * ```ts
   * const result = await client.authorize({ scopes: Client.getDefaultCommunicationScopes() })
   * const { accessToken } = await client.getToken(result)
   * ```
   */
  getToken(result: AuthorizationResult, codeVerifier?: Secret | string, options?: { signal?: AbortSignal | undefined }): Promise<TokenSet>
}

export function createAuthorizationMethods(context: ClientContext) {
  return {
    handleCallback: createCallbackHandler(context),
    async getToken(result: AuthorizationResult, codeVerifier?: Secret | string, options?: { signal?: AbortSignal | undefined }) {
      const { signal } = { ...options }
      const { redeem } = await context.exchange()
      return (await redeem(result, { codeVerifier, signal })).tokens
    },
  }
}
