/** All calls of a client by their paths, for windows of Electron and for game engines, which name a call in text. */
import type { CoreClient } from './core-client'
import type { Accounts } from './groups/accounts'
import type { Desktop } from './desktop/desktop'
import type { Activity } from './groups/activity'
import type { Backend } from './groups/backend'
import type { Lobbies } from './groups/lobbies'
import type { Lobby } from './lobbies/lobby'

/**
 * Owner of a call of a window. `player`: the player whom the window shows; it ends with `signed_out` once the main process has another
 * session. `token`: the same, unless an argument brings a token. `anyone`: nobody in particular. `none`: a window cannot make it.
 */
export type CallOwner = 'player' | 'token' | 'anyone' | 'none'

/** Index of the argument with the options, which receives the signal of an engine's `cancel`; null without one; false: not for engines. */
type OptionsIndex = number | null | false

type MethodOf<T> = {
  [Name in keyof T & string]: T[Name] extends (...args: never[]) => unknown ? Name : never
}[keyof T & string]
/** Methods that windows and engines have in another way. */
type Local = 'on' | 'close' | 'toJSON'
export type CallPath =
  | Exclude<MethodOf<CoreClient>, Local>
  | `accounts.${MethodOf<Accounts>}`
  | `activity.${MethodOf<Activity>}`
  | `backend.${MethodOf<Backend>}`
  | `desktop.${Exclude<MethodOf<Desktop>, Local>}`
  | `lobbies.${Exclude<MethodOf<Lobbies>, Local>}`
  | `lobby.${Exclude<MethodOf<Lobby>, Local>}`

/** A missing call does not compile, so every new one needs a decision here. A call of a lobby has the lobby's id before its arguments. */
export const CALL_PATHS = {
  authorize: ['anyone', false],
  abortAuthorize: ['anyone', null],
  createAuthorizationCodeVerifier: ['none', false],
  signIn: ['anyone', 0],
  signOut: ['player', 0],
  resume: ['anyone', null],
  // An authorization result and a token set cannot leave a script.
  handleCallback: ['anyone', false],
  getToken: ['anyone', false],
  refreshToken: ['token', 1],
  revokeToken: ['token', 1],
  updateToken: ['anyone', 1],
  pauseRefresh: ['none', null],
  fetchCurrentUser: ['token', 0],
  fetchGuildMember: ['player', 1],
  fetchPurchases: ['player', 0],
  createOrJoinLobby: ['player', 1],
  takeInvitation: ['anyone', null],
  clearRateLimitBlocks: ['player', null],
  // All windows share one client.
  setApplicationId: ['none', null],
  'accounts.getTokenFromDevice': ['anyone', false],
  'accounts.abortDevice': ['anyone', false],
  'accounts.getToken': ['anyone', false],
  'accounts.merge': ['anyone', false],
  'accounts.mergeFromDevice': ['anyone', false],
  'accounts.unmerge': ['anyone', false],
  'accounts.exchangeChildToken': ['anyone', false],
  // An Activity runs in a page of the service, never in an Electron window.
  'activity.connect': ['none', 0],
  'activity.fetchParticipants': ['none', 0],
  'activity.joinLobby': ['none', 0],
  // A response cannot cross to a window: the main process calls the backend.
  'backend.fetch': ['none', 1],
  'backend.fetchTicket': ['player', null],
  'desktop.setPresence': ['player', 1],
  // A window has it by an internal call, as pauseRefresh: it lasts.
  'desktop.followInvitations': ['none', false],
  'desktop.acceptRequest': ['anyone', 1],
  'desktop.refuseRequest': ['anyone', 1],
  'lobbies.get': ['none', null],
  'lobbies.add': ['player', null],
  'lobbies.fetchGuilds': ['player', 0],
  'lobbies.fetchGuildChannels': ['player', 1],
  'lobby.send': ['player', 1],
  'lobby.fetchMessages': ['player', 0],
  'lobby.leave': ['player', 0],
  // Windows may close while the game continues; the main process decides what happens then.
  'lobby.autoLeave': ['none', null],
  'lobby.watch': ['player', 0],
  'lobby.link': ['player', 1],
  'lobby.unlink': ['player', 0],
  'lobby.createGuildInvite': ['player', 0],
  'lobby.inviteLink': ['none', null],
} as const satisfies Record<CallPath, readonly [CallOwner, OptionsIndex]>

/** Owner and index of the options of a path; undefined for another text. */
export function callAt(path: string): readonly [CallOwner, OptionsIndex] | undefined {
  return Object.entries(CALL_PATHS).find(([known]) => known === path)?.[1]
}

/** Finds the method at a path, and the object that it belongs to. The first argument of a call of a lobby is the lobby's id. */
export function findCall(
  client: object,
  path: string,
  args: readonly unknown[],
): { call: (args: readonly unknown[]) => unknown } | undefined {
  const [group, name = group] = path.split('.')
  const isLobbyCall = group === 'lobby'
  const owner: unknown = isLobbyCall
    ? lobbyOf(client, args[0])
    : name === group
      ? client
      : Reflect.get(client, group ?? '')
  const method: unknown =
    typeof owner === 'object' && owner !== null ? Reflect.get(owner, name ?? '') : undefined
  if (typeof method !== 'function') return undefined
  return { call: (given): unknown => Reflect.apply(method, owner, isLobbyCall ? given.slice(1) : [...given]) }
}

function lobbyOf(client: object, id: unknown): unknown {
  const lobbies: unknown = Reflect.get(client, 'lobbies')
  const get: unknown =
    typeof lobbies === 'object' && lobbies !== null ? Reflect.get(lobbies, 'get') : undefined
  return typeof get === 'function' ? get(String(id)) : undefined
}
