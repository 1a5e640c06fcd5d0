/** Contract between a window and the main process: allowed calls, events, and message formats. */
import type { EventEmitter } from 'eventemitter3'
import type { CoreClient } from '../../client/core-client'
import type { ClientEvents, ClientStatus } from '../../client/context/client-events'
import type { LazyMethods } from '../../client/lazy-methods'
import type { Secret } from '../../foundation/secret'
import type { WithheldSecret } from './withheld-secret'

/** Name of the global that the preload script exposes to a page. */
export const BRIDGE = 'foyerBridge'

/** IPC channels. They are fixed in the preload script, so a page cannot choose one. */
export const CHANNELS = { call: 'foyer:call', cancel: 'foyer:cancel', notify: 'foyer:notify' } as const

/** Everything that the preload script exposes to a page. Strings only, so that no object is shared between contexts. */
export interface Bridge {
  /** Sends a `Call`. Resolves with an `CallResult`; rejects only if no main process listens. */
  call(text: string): Promise<string>
  /** Cancels the call with this id. */
  cancel(id: string): void
  /** Calls `listener` with every `Notice`. Returns an unsubscribe function. */
  listen(listener: (text: string) => void): () => void
}

/** Members that a window implements itself, or not at all. */
type LocalMember =
  | 'session'
  | 'status'
  | 'subscribe'
  | 'close'
  | 'getApplicationId'
  | 'isAuthenticated'
  | 'hold'
  | 'getActivityLaunch'
  | 'getLobby'
  | 'getLobbyIds'
  | 'createAuthorizationCodeVerifier'
  | 'limits'
  | UnsupportedMember
/** Not available in a window, because all windows share one client. */
type UnsupportedMember = 'setApplicationId'
type CoreVerb = Exclude<keyof CoreClient, keyof EventEmitter | keyof LazyMethods | LocalMember>

/**
 * Owner of a call. `player`: the player whom the window shows; it ends with `signed_out` once the main process has another session.
 * `token`: the same, unless an argument brings a token. `anyone`: nobody in particular.
 */
export type CallOwner = 'player' | 'token' | 'anyone'

/**
 * All client methods with the owner of their calls, and false if they are `unsupported` in a window. A missing method does not compile, so
 * every new method needs a decision here.
 */
export const VERBS = {
  // Methods of the client itself.
  authorize: 'anyone',
  abortAuthorize: 'anyone',
  signIn: 'anyone',
  signOut: 'player',
  // Methods of its lazy modules, src/client/lazy-methods.ts.
  handleCallback: 'anyone',
  getToken: 'anyone',
  resume: 'anyone',
  refreshToken: 'token',
  revokeToken: 'token',
  updateToken: 'anyone',
  fetchCurrentUser: 'token',
  getUserGuilds: 'player',
  getGuildChannels: 'player',
  // A response cannot cross to a window: the main process calls the backend.
  fetchBackend: false,
  getTokenFromDevice: 'anyone',
  abortGetTokenFromDevice: 'anyone',
  getTokenFromDeviceProvisionalMerge: 'anyone',
  getTokenFromProvisionalMerge: 'anyone',
  getProvisionalToken: 'anyone',
  unmergeIntoProvisionalAccount: 'anyone',
  exchangeChildToken: 'anyone',
  createOrJoinLobby: 'player',
  createOrJoinLobbyWithMetadata: 'player',
  leaveLobby: 'player',
  sendLobbyMessage: 'player',
  getLobbyMessagesWithLimit: 'player',
  linkChannelToLobby: 'player',
  unlinkChannelFromLobby: 'player',
  joinLinkedLobbyGuild: 'player',
  watchLobby: 'player',
  // Windows may close while the game continues; the main process decides what happens then.
  autoLeave: false,
  clearRateLimitBlocks: 'player',
  // An Activity runs in a page of the service, never in an Electron window.
  connectActivity: false,
  getActivityParticipants: false,
  joinActivityLobby: false,
} as const satisfies Record<CoreVerb | keyof LazyMethods, CallOwner | false>

/** Method that a window may call. */
export type Verb = { [Name in keyof typeof VERBS]: (typeof VERBS)[Name] extends false ? never : Name }[keyof typeof VERBS]

/** Forwarded events. A window derives `statusChanged` and `sessionChanged` from the authentication state instead. */
export const EVENTS = {
  statusChanged: false,
  sessionChanged: false,
  tokenExpiring: true,
  tokenRefreshed: true,
  maybeClosed: true,
  browserUnavailable: true,
  rateLimited: true,
  rateLimitDelayed: true,
  lobbyCreated: true,
  lobbyUpdated: true,
  lobbyDeleted: true,
  lobbyMessage: true,
  activityLaunched: false,
  activityParticipants: false,
  activityJoin: false,
  activityLobby: false,
  activityClosed: false,
  log: true,
} as const satisfies Record<keyof ClientEvents, boolean>

/**
 * Call of a window. The first one is `connect`: its response contains the authentication state and subscribes the window to notices. `hold`
 * lasts until it is cancelled; `limits` returns the usage of every rate limit.
 */
export interface Call {
  /** Chosen by the window; identifies the call for `cancel`. */
  id: string
  verb: Verb | 'connect' | 'hold' | 'limits' | 'undo'
  args: readonly unknown[]
  /** `playerRevision` of the state that the window showed when the game called. Absent before it has one. */
  player?: number
}

/**
 * Result of a call: a value or an error, each serialized separately, and the authentication state if it changed, which the window applies
 * first.
 */
export interface CallResult {
  value?: string
  error?: string
  authState?: string
}

/** Authentication state of the main process. */
export interface AuthStateSnapshot {
  /** Increases with every notice, so that outdated ones can be ignored. */
  sequence: number
  /** Increases when the session object changes, by a refresh or for another player. */
  revision: number
  /** Increases with every `sessionChanged`. */
  sessionRevision: number
  /** Increases when another player, or nobody, is signed in. */
  playerRevision: number
  status: ClientStatus
  session: unknown
  applicationId: string | undefined
  /** Lobbies in the cache. */
  lobbies: readonly unknown[]
  /** Why the session ended, unless the game ended it; data of the error. */
  cause?: unknown
}

/** Message of the main process without a request. */
export type Notice =
  | { kind: 'authState'; authState: string }
  | { kind: 'event'; name: string; data: string }
  /** Calls a function that the window passed as an argument. */
  | { kind: 'callback'; id: string; args: string }

/** Type of a value in a window: secrets are replaced by `WithheldSecret`. */
export type Sealed<T> = T extends Secret
  ? WithheldSecret
  : T extends string | number | bigint | boolean | null | undefined
    ? T
    : T extends Promise<infer Value>
      ? Promise<Sealed<Value>>
      : T extends (...args: infer Args) => infer Result
        ? (...args: Args) => Sealed<Result>
        : { readonly [Key in keyof T]: Sealed<T[Key]> }
