/** The scopes the service knows, in words, and what the two sdk scopes expand to. */

export interface Scope {
  name: string
  /** Continues "This application will be able to". */
  words: string
  implies?: string[]
}

const presence = [
  'relationships.read',
  'relationships.write',
  'presences.read',
  'presences.write',
  'gateway.connect',
  'account.global_name.update',
  'application_identities.write',
]
const communication = ['sdk.social_layer_presence', ...presence, 'dm_channels.messages.read', 'dm_channels.messages.write', 'lobbies.write']

const scopes: Scope[] = [
  { name: 'openid', words: 'confirm who you are' },
  { name: 'sdk.social_layer', words: 'use your account in the game: friends, presence, lobbies and messages', implies: communication },
  { name: 'sdk.social_layer_presence', words: 'show your friends what you are playing, and show you theirs', implies: presence },
  { name: 'identify', words: 'see your username and avatar' },
  { name: 'identify.premium', words: 'see whether you subscribe to the service' },
  { name: 'email', words: 'see your email address' },
  { name: 'guilds', words: 'see which guilds you are in' },
  { name: 'guilds.members.read', words: 'see your membership in those guilds' },
  { name: 'relationships.read', words: 'see your friends' },
  { name: 'relationships.write', words: 'add and remove friends for you' },
  { name: 'presences.read', words: 'see what your friends are playing' },
  { name: 'presences.write', words: 'show what you are playing' },
  { name: 'dm_channels.messages.read', words: 'read your direct messages in the game' },
  { name: 'dm_channels.messages.write', words: 'send direct messages for you' },
  { name: 'gateway.connect', words: 'stay connected to the service for you' },
  { name: 'account.global_name.update', words: 'change your display name' },
  { name: 'lobbies.write', words: 'join and leave lobbies for you' },
  { name: 'application_identities.write', words: 'link your account with the game’s own' },
  { name: 'payment_sources.country_code', words: 'see the country of your payment method' },
  { name: 'rpc.activities.write', words: 'set your activity' },
  { name: 'applications.commands', words: 'add commands' },
  { name: 'applications.commands.permissions.update', words: 'change who may use its commands in your guilds' },
  { name: 'bot', words: 'add a bot' },
]

const byName = new Map(scopes.map((scope) => [scope.name, scope]))
const installScopes = new Set(['applications.commands', 'bot'])

/** Given to an application itself, never by a player. */
const applicationScopes = ['applications.commands.update']
/** All that the client-credentials grant gives to an application that belongs to a team. */
const teamScopes = new Set(['identify', ...applicationScopes])

export const scopeNames = [...scopes.map((scope) => scope.name), ...applicationScopes]

export function splitScopes(value: string | undefined): string[] {
  return [...new Set((value ?? '').split(' ').filter((name) => name !== ''))]
}

export function unknownScopes(names: string[]): string[] {
  return names.filter((name) => !byName.has(name))
}

/** The scopes that no client-credentials token can have: unknown ones, and for a team's application nearly all. */
export function refusedToApplication(names: string[], { team }: { team: boolean }): string[] {
  if (team) return names.filter((name) => !teamScopes.has(name))
  return unknownScopes(names).filter((name) => !applicationScopes.includes(name))
}

/** The requested scopes first, then what they bring along. */
export function expandScopes(names: string[]): string[] {
  return [...new Set([...names, ...names.flatMap((name) => byName.get(name)?.implies ?? [])])]
}

/** The scopes that need not be asked for, since another one brings them along; each with that one. */
export function impliedScopes(names: string[]): { name: string; by: string }[] {
  return names.flatMap((name) => {
    const by = names.find((other) => byName.get(other)?.implies?.includes(name) === true)
    return by === undefined ? [] : [{ name, by }]
  })
}

/** The scopes to show to a player: without those that another one brings along. */
export function describeScopes(names: string[]): Scope[] {
  const implied = new Set(names.flatMap((name) => byName.get(name)?.implies ?? []))
  return names.flatMap((name) => (implied.has(name) ? [] : (byName.get(name) ?? [])))
}

/** True when the request only adds the application somewhere: no player signs in, no code is given. */
export function isInstallOnly(names: string[]): boolean {
  return names.length > 0 && names.every((name) => installScopes.has(name))
}

export function showsProfile(names: Set<string>): boolean {
  return names.has('identify') || names.has('sdk.social_layer') || names.has('sdk.social_layer_presence')
}
