/** Scopes of the service with their descriptions, and the expansion of the two sdk scopes. */
import { didYouMean } from '../foundation/closest-name.js'

export interface Scope {
  name: string
  /** Continues "This application will be able to". */
  description: string
  implies?: string[]
}

/** Assumed: docs/interface/authorization.md#scopes. */
const PRESENCE = [
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
const COMMUNICATION = [
  'sdk.social_layer_presence',
  ...PRESENCE,
  'dm_channels.read',
  'dm_channels.messages.read',
  'dm_channels.messages.write',
  'lobbies.write',
]

const SCOPES: Scope[] = [
  { name: 'openid', description: 'confirm who you are' },
  {
    name: 'sdk.social_layer',
    description: 'use your account in the game: friends, presence, lobbies and messages',
    implies: COMMUNICATION,
  },
  {
    name: 'sdk.social_layer_presence',
    description: 'show your friends what you are playing, and show you theirs',
    implies: PRESENCE,
  },
  { name: 'identify', description: 'see your username and avatar' },
  { name: 'identify.premium', description: 'see whether you subscribe to the service' },
  { name: 'email', description: 'see your email address' },
  { name: 'guilds', description: 'see which guilds you are in' },
  { name: 'guilds.members.read', description: 'see your membership in those guilds' },
  { name: 'relationships.read', description: 'see your friends' },
  { name: 'relationships.write', description: 'add and remove friends for you' },
  { name: 'activities.read', description: 'see what you play' },
  { name: 'activities.write', description: 'show what you are playing' },
  { name: 'activities.invites.write', description: 'invite your friends to play' },
  { name: 'dm_channels.messages.read', description: 'read your direct messages in the game' },
  { name: 'dm_channels.messages.write', description: 'send direct messages for you' },
  { name: 'gateway.connect', description: 'stay connected to the service for you' },
  { name: 'account.global_name.update', description: 'change your display name' },
  { name: 'lobbies.write', description: 'join and leave lobbies for you' },
  { name: 'application_identities.write', description: 'link your account with the game’s own' },
  { name: 'payment_sources.country_code', description: 'see the country of your payment method' },
  { name: 'rpc.activities.write', description: 'set your activity' },
  { name: 'rpc.voice.read', description: 'see who speaks in your voice channel' },
  { name: 'dm_channels.read', description: 'see your direct messages and groups' },
  { name: 'applications.commands', description: 'add commands' },
  {
    name: 'applications.commands.permissions.update',
    description: 'change who may use its commands in your guilds',
  },
  { name: 'bot', description: 'add a bot' },
]

const byName = new Map(SCOPES.map((scope) => [scope.name, scope]))
const INSTALL_SCOPES = new Set(['applications.commands', 'bot'])

/** For the application itself; never granted by a player. */
const APPLICATION_SCOPES = ['applications.commands.update']
/** The only scopes that the client-credentials grant gives to an application of a team. */
const TEAM_SCOPES = new Set(['identify', ...APPLICATION_SCOPES])

export const scopeNames = [...SCOPES.map((scope) => scope.name), ...APPLICATION_SCOPES]

export function splitScopes(value: string | undefined): string[] {
  return [...new Set((value ?? '').split(' ').filter((name) => name !== ''))]
}

/** Names of unknown scopes, each with the one that was probably meant. */
export const describeUnknown = (names: readonly string[]): string =>
  names.map((name) => name + (name.includes(',') ? DIVIDED : didYouMean(name, scopeNames))).join(' ')

const DIVIDED = ' (scopes are divided by blanks)'

export function unknownScopes(names: string[]): string[] {
  return names.filter((name) => !byName.has(name))
}

/** Scopes that a client-credentials token cannot have: unknown ones, and for an application of a team nearly all. */
export function refusedToApplication(names: string[], { team }: { team: boolean }): string[] {
  if (team) return names.filter((name) => !TEAM_SCOPES.has(name))
  return unknownScopes(names).filter((name) => !APPLICATION_SCOPES.includes(name))
}

/** Returns the requested scopes, followed by those that they imply. */
export function expandScopes(names: string[]): string[] {
  return [...new Set([...names, ...names.flatMap((name) => byName.get(name)?.implies ?? [])])]
}

/** Requested scopes that another requested scope implies, each with that scope. */
export function impliedScopes(names: string[]): { name: string; by: string }[] {
  return names.flatMap((name) => {
    const by = names.find((other) => byName.get(other)?.implies?.includes(name) === true)
    return by === undefined ? [] : [{ name, by }]
  })
}

/** Scopes to show to a player, without implied ones. */
export function describeScopes(names: string[]): Scope[] {
  const implied = new Set(names.flatMap((name) => byName.get(name)?.implies ?? []))
  return names.flatMap((name) => (implied.has(name) ? [] : (byName.get(name) ?? [])))
}

/** True if the scopes only install the application: no sign-in, no code. */
export function isInstallOnly(names: string[]): boolean {
  return names.length > 0 && names.every((name) => INSTALL_SCOPES.has(name))
}

export function showsProfile(names: Set<string>): boolean {
  return names.has('identify')
}
