/** Revoking one token ends every token that the player gave to the application. */
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { textOf } from '../decode.js'
import type { Records } from '../state/records.js'

interface Revocable {
  clientId?: string | undefined
}

/** The library asks whether this client may revoke this token, and would then end the token's own grant only. */
export function revokeAll(records: Records) {
  return (_ctx: KoaContextWithOIDC, client: Client, token: Revocable): boolean => {
    if (token.clientId !== client.clientId) return false
    const player = textOf(Reflect.get(token, 'accountId'))
    if (player !== undefined) records.endPlayer(player, client.clientId, 'all tokens of this player were revoked')
    return true
  }
}
