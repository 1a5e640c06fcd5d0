/** Early end of tokens: revocation, and refresh in strict mode. */
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { textOf } from '../../foundation/values.js'
import { eventUser } from '../../model/service-event.js'
import { findUser } from '../../state/find-user.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Records } from '../../state/records.js'

interface Revocable {
  clientId?: string | undefined
}

const WHY = 'all tokens of this player were revoked'

/** Revokes all grants of the player. The library calls this as its policy check, and would then revoke only the token's own grant. */
export function revokeAll(context: EmulatorContext) {
  return (_ctx: KoaContextWithOIDC, client: Client, token: Revocable): boolean => {
    if (token.clientId !== client.clientId) return false
    const player = textOf(Reflect.get(token, 'accountId'))
    if (player !== undefined) revokePlayer(player, client.clientId, context)
    return true
  }
}

/** Tokens of child applications end with the parent's. */
export function revokePlayer(
  accountId: string,
  clientId: string,
  { seed, state, events }: EmulatorContext,
): void {
  const whole = clientId === seed.application.id
  state.records.endPlayer(accountId, whole ? { why: WHY } : { clientId, why: WHY })
  const player = findUser(accountId, { seed, state })
  if (player !== undefined)
    events.emit({ name: 'application.deauthorized', data: { user: eventUser(player) } })
  // Revoking the permission also detaches external identities.
  if (whole && state.accounts.find(accountId) === undefined) state.accounts.detach(accountId)
}

/** Revokes the older access tokens of a grant after a refresh. */
export function endOlderAccess(ctx: KoaContextWithOIDC, records: Records): void {
  const { jti, grantId, clientId } = ctx.oidc.entities.AccessToken ?? {}
  if (jti === undefined || grantId === undefined || clientId === undefined) return
  records.endOthers(grantId, { except: jti, clientId, why: 'a refresh gave a new one' })
}
