/** Single steps of a sign-in: callback handling and code redemption. */
import type { CallOptions } from '../../shared/foundation/options'
import { createCallbackHandler } from '../../shared/authorization/create-callback-handler'

import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import type { GivenVerifier } from '../../shared/tokens/requests/token-endpoint'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { ClientContext } from '../context/client-context'

/** The code of the single steps of a sign-in. */
export type AuthorizationMethods = ReturnType<typeof createAuthorizationMethods>

export function createAuthorizationMethods(context: ClientContext) {
  return {
    handleCallback: createCallbackHandler(context),
    async getToken(
      result: AuthorizationResult,
      codeVerifier?: GivenVerifier,
      options?: CallOptions,
    ): Promise<TokenSet> {
      const { redeem } = await context.exchange()
      return (await redeem(result, { codeVerifier, signal: options?.signal })).tokens
    },
  }
}
