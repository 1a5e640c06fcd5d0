/** Compares the granted scopes with the requested ones. Pure. */
import { AuthorizationError } from '../../shared/foundation/errors'

/**
 * See docs/interface/authorization.md#scopes: both sdk scopes expand to all scopes that are needed. The names are those of
 * docs/interface/authorization.md#scopes.
 */
const PRESENCE: readonly string[] = [
  'identify',
  'guilds',
  'activities.read',
  'activities.write',
  'activities.invites.write',
  'relationships.read',
  'relationships.write',
  'gateway.connect',
  'account.global_name.update',
  'application_identities.write',
]
const DIRECT_MESSAGES = ['dm_channels.read', 'dm_channels.messages.read', 'dm_channels.messages.write']
const INCLUDED: ReadonlyMap<string, readonly string[]> = new Map([
  ['sdk.social_layer_presence', PRESENCE],
  ['sdk.social_layer', ['sdk.social_layer_presence', ...PRESENCE, ...DIRECT_MESSAGES, 'lobbies.write']],
])

/** Scopes granted without being requested, either by name or by a scope that includes them. */
export function extraScopes(granted: readonly string[], requested: readonly string[]): readonly string[] {
  const expected = new Set([...requested, ...requested.flatMap((scope) => INCLUDED.get(scope) ?? [])])
  return granted.filter((scope) => !expected.has(scope))
}

/** @throws AuthorizationError `extra_scopes` if the service granted more than requested. */
export function refuseExtraScopes(granted: readonly string[], requested: readonly string[]): void {
  if (extraScopes(granted, requested).length > 0)
    throw new AuthorizationError('extra_scopes', { retryable: false })
}
