/** The scopes that were granted, compared with the scopes that were asked for. Pure. */
import { AuthorizationError } from '../foundation/errors'

/** S:195: both sdk scopes expand to all scopes that are needed. The names are those of supplement A.4.8. */
const PRESENCE: readonly string[] = [
  'relationships.read',
  'relationships.write',
  'presences.read',
  'presences.write',
  'gateway.connect',
  'account.global_name.update',
  'application_identities.write',
]
const INCLUDED: ReadonlyMap<string, readonly string[]> = new Map([
  ['sdk.social_layer_presence', PRESENCE],
  [
    'sdk.social_layer',
    ['sdk.social_layer_presence', ...PRESENCE, 'dm_channels.messages.read', 'dm_channels.messages.write', 'lobbies.write'],
  ],
])

/** Granted without being asked for, by name or by a scope that includes them. */
export function extraScopes(granted: readonly string[], asked: readonly string[]): readonly string[] {
  const expected = new Set([...asked, ...asked.flatMap((scope) => INCLUDED.get(scope) ?? [])])
  return granted.filter((scope) => !expected.has(scope))
}

/** @throws AuthorizationError `extra_scopes` when more was granted than was asked for. */
export function refuseExtraScopes(granted: readonly string[], asked: readonly string[]): void {
  if (extraScopes(granted, asked).length > 0) throw new AuthorizationError('extra_scopes', { retryable: false })
}
