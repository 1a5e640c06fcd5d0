/** What may cross between a window and the main process: a closed list of calls, of events, and the shape of each message. */
import type { EventEmitter } from 'eventemitter3'
import type { CoreClient } from '../client/client'
import type { ClientEvents, ClientStatus } from '../client/events'
import type { LazyMethods } from '../client/lazy-methods'
import type { Secret } from '../foundation/secret'
import type { WithheldSecret } from './contract/withheld-secret'

/** The name under which the preload script shows the bridge to a page. */
export const BRIDGE = 'foyerBridge'

/** The IPC channels. A page cannot name one: the preload script has them inside. */
export const CHANNELS = { call: 'foyer:call', cancel: 'foyer:cancel', tell: 'foyer:tell' } as const

/** All that a page gets of the main process. Texts only, so that no object of one world is ever seen by the other. */
export interface Bridge {
  /** Sends a `Call`; resolves with an `Answer`, and rejects only where no main process listens. */
  call(text: string): Promise<string>
  /** Gives up the call of that id. */
  cancel(id: string): void
  /** Gets every `Notice`. The result undoes it. */
  listen(listener: (text: string) => void): () => void
}

/** Methods that a window answers by itself, or not at all. */
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
/** Not a window's to decide: all windows share the one client. */
type UnsupportedMember = 'setApplicationId'
type CoreVerb = Exclude<keyof CoreClient, keyof EventEmitter | keyof LazyMethods | LocalMember>

/**
 * Every call that may cross, and every one that is `unsupported` in a window. A method of the client that stands in neither way does not
 * compile, so whoever adds one decides here, in one line.
 */
export const VERBS = {
  // Of the client itself.
  authorize: true,
  abortAuthorize: true,
  signIn: true,
  signOut: true,
  // Of its parts, src/client/lazy-methods.ts.
  handleCallback: true,
  getToken: true,
  resume: true,
  refreshToken: true,
  revokeToken: true,
  updateToken: true,
  fetchCurrentUser: true,
  getTokenFromDevice: true,
  abortGetTokenFromDevice: true,
  getTokenFromDeviceProvisionalMerge: true,
  getTokenFromProvisionalMerge: true,
  getProvisionalToken: true,
  unmergeIntoProvisionalAccount: true,
  exchangeChildToken: true,
  createOrJoinLobby: true,
  createOrJoinLobbyWithMetadata: true,
  leaveLobby: true,
  sendLobbyMessage: true,
  getLobbyMessagesWithLimit: true,
  linkChannelToLobby: true,
  unlinkChannelFromLobby: true,
  watchLobby: true,
  // Windows close while the game goes on: what happens then is the main process's to say.
  autoLeave: false,
  clearRateLimitBlocks: true,
  // An Activity stands in a page of the service, and never in a window of Electron.
  connectActivity: false,
  getActivityParticipants: false,
  joinActivityLobby: false,
} as const satisfies Record<CoreVerb | keyof LazyMethods, boolean>

/** A method that crosses. */
export type Verb = { [Name in keyof typeof VERBS]: (typeof VERBS)[Name] extends true ? Name : never }[keyof typeof VERBS]

/** Every event that may cross. `statusChanged` and `sessionChanged` do not: a window makes its own from the presence it is told. */
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
  activityClosed: false,
  log: true,
} as const satisfies Record<keyof ClientEvents, boolean>

/** A call. The first one of a window is `connect`, which does nothing: its answer says who is signed in, and whoever has called is told what happens later; `hold` lasts until it is cancelled; `limits` brings every rate limit in use. */
export interface Call {
  /** Made up by the window; names the call to `cancel`. */
  id: string
  verb: Verb | 'connect' | 'hold' | 'limits' | 'undo'
  args: readonly unknown[]
}

/** What became of a call: a value or an error, each as its own text, and who is signed in since, which is to be read first. */
export interface Answer {
  value?: string
  error?: string
  authState?: string
}

/** Who is signed in at the main process. */
export interface AuthStateSnapshot {
  /** Grows with every notice, so that a late one can be told from a current one. */
  sequence: number
  /** Grows whenever the session is another object: renewed, or another player's. */
  revision: number
  /** Grows with every `sessionChanged`. */
  sessionRevision: number
  status: ClientStatus
  session: unknown
  applicationId: string | undefined
  /** The lobbies that the player is known to be in. */
  lobbies: readonly unknown[]
  /** Why the session ended, if the game did not end it: an error's own plain data. */
  cause?: unknown
}

/** What a window is told without having asked. */
export type Notice =
  | { kind: 'presence'; presence: string }
  | { kind: 'event'; name: string; data: string }
  /** A function that the window gave as an argument is called. */
  | { kind: 'callback'; id: string; args: string }

/** A type as a window sees it: where a secret was, there is one that cannot be opened. */
export type Sealed<T> = T extends Secret
  ? WithheldSecret
  : T extends string | number | bigint | boolean | null | undefined
    ? T
    : T extends Promise<infer Value>
      ? Promise<Sealed<Value>>
      : T extends (...args: infer Args) => infer Result
        ? (...args: Args) => Sealed<Result>
        : { readonly [Key in keyof T]: Sealed<T[Key]> }
