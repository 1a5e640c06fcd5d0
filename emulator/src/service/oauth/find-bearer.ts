/** Resolves an access token to its holder: a player, or the application, which acts as its owner. */
import type { Provider } from 'oidc-provider'
import { printedSecret } from '../../foundation/printed-secret.js'
import { splitScopes } from '../../model/scope.js'
import { findUser } from '../../state/find-user.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

export interface Bearer {
  kind: 'player' | 'application'
  applicationId: string
  player: Player
  scopes: Set<string>
  /** Epoch seconds. */
  expires: number
}

/** Returns the bearer, or the reason why the token is invalid. */
export async function findBearer(
  value: string,
  { seed, state, clock }: EmulatorContext,
  provider: Provider,
): Promise<Bearer | string> {
  const given = await provider.AccessToken.find(value)
  const own = given === undefined ? await provider.ClientCredentials.find(value) : undefined
  const accountId = own === undefined ? given?.accountId : seed.application.ownerId
  const player = findUser(accountId, { seed, state })
  const token = given ?? own
  if (token === undefined || player === undefined) return whyInvalid(value, state.records)
  const kind = own === undefined ? 'player' : 'application'
  const applicationId = token.clientId ?? seed.application.id
  return {
    kind,
    applicationId,
    player,
    scopes: new Set(splitScopes(token.scope)),
    expires: (token.exp ?? 0) + clock.aheadSeconds,
  }
}

function whyInvalid(token: string, records: EmulatorContext['state']['records']): string {
  for (const kind of ['AccessToken', 'ClientCredentials']) {
    const reason = records.endReason(kind, token)
    if (reason !== undefined) return `the access token no longer works: ${reason}`
    if (records.find(kind, token) !== undefined) return 'the access token is expired'
  }
  return printedSecret(token, 'the access token') ?? 'the access token was never issued here'
}
