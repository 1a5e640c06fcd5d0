/** Revoking one token ends every token that the player gave to the application. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Records } from '../state/records.js'

export function endAllTokens(records: Records) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    if (ctx.path !== '/api/v10/oauth2/token/revoke' || ctx.status !== 200) return
    const { AccessToken, RefreshToken, Client } = ctx.oidc.entities
    const token = AccessToken ?? RefreshToken
    if (token?.accountId === undefined || Client === undefined || token.clientId !== Client.clientId) return
    records.endPlayer(token.accountId, Client.clientId, 'all tokens of this player were revoked')
  }
}
