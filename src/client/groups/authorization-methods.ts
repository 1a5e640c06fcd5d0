/** Single steps of a sign-in: callback handling and code redemption. */
import type { CallOptions } from '../../shared/foundation/options'
import { createCallbackHandler } from '../../shared/authorization/create-callback-handler'
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import type { Secret } from '../../shared/foundation/secret'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { ClientContext } from '../context/client-context'

export interface AuthorizationMethods {
  handleCallback(url: string): Promise<AuthorizationResult | null>
  getToken(result: AuthorizationResult, codeVerifier?: Secret | string, options?: CallOptions): Promise<TokenSet>
}

export function createAuthorizationMethods(context: ClientContext) {
  return {
    handleCallback: createCallbackHandler(context),
    async getToken(result: AuthorizationResult, codeVerifier?: Secret | string, options?: CallOptions) {
      const { redeem } = await context.exchange()
      return (await redeem(result, { codeVerifier, signal: options?.signal })).tokens
    },
  }
}
