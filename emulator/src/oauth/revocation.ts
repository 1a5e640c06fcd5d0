/** What ends tokens before their time: revoking, and under strict rules a refresh. */
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { textOf } from '../foundation/decode.js'
import type { EmulatorContext } from '../context/context.js'
import type { Records } from '../state/records.js'

interface Revocable {
  clientId?: string | undefined
}

const why = 'all tokens of this player were revoked'

/** The library asks whether this client may revoke this token, and would then end the token's own grant only. */
export function revokeAll(context: EmulatorContext) {
  return (_ctx: KoaContextWithOIDC, client: Client, token: Revocable): boolean => {
    if (token.clientId !== client.clientId) return false
    const player = textOf(Reflect.get(token, 'accountId'))
    if (player !== undefined) revokePlayer(player, client.clientId, context)
    return true
  }
}

/** The tokens of child applications come from the parent's, and end with them. */
export function revokePlayer(accountId: string, clientId: string, { seed, state }: EmulatorContext): void {
  const whole = clientId === seed.application.id
  state.records.endPlayer(accountId, whole ? { why } : { clientId, why })
  // Who takes the permission back takes the identities from elsewhere back too.
  if (whole && state.accounts.find(accountId) === undefined) state.accounts.detach(accountId)
}

/** After a refresh the new access token is the only one of its grant. */
export function endOlderAccess(ctx: KoaContextWithOIDC, records: Records): void {
  const { jti, grantId, clientId } = ctx.oidc.entities.AccessToken ?? {}
  if (jti === undefined || grantId === undefined || clientId === undefined) return
  records.endOthers(grantId, { except: jti, clientId, why: 'a refresh gave a new one' })
}
