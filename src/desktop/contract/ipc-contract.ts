/** Contract between a window and the main process: allowed calls, events, and message formats. */
import type { CALL_PATHS, CallPath } from '../../client/call-paths'
import type { DesktopEvents, DesktopStatus, DesktopUser } from '../../client/desktop/desktop'
import type { ClientEvents, ClientStatus } from '../../client/context/client-events'
import type { Secret } from '../../shared/foundation/secret'
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

/** Path of a call that a window may make. */
export type WindowPath = {
  [Path in CallPath]: (typeof CALL_PATHS)[Path][0] extends 'none' ? never : Path
}[CallPath]

/** Forwarded events. A window derives the others from the authentication state. */
export const EVENTS = {
  statusChanged: false,
  sessionChanged: false,
  tokenExpiring: true,
  tokenRefreshed: true,
  maybeClosed: true,
  browserUnavailable: true,
  rateLimited: true,
  rateLimitDelayed: true,
  lobbyCreated: false,
  lobbyUpdated: false,
  lobbyDeleted: true,
  lobbyMessage: true,
  activityLaunched: false,
  activityParticipants: false,
  activityJoin: true,
  activityLobby: true,
  activityClosed: false,
  log: true,
} as const satisfies Record<keyof ClientEvents, boolean>

/** Forwarded events of `client.desktop`, with this before their names. */
export const DESKTOP = 'desktop.'
export const FORWARDED_DESKTOP_EVENTS = {
  statusChanged: false,
  joinRequested: true,
  invited: true,
} as const satisfies Record<keyof DesktopEvents, boolean>

/**
 * Call of a window. The first one is `connect`: its response contains the authentication state and subscribes the window to notices.
 * `pauseRefresh` and `desktop.followInvitations` last until they are cancelled; `rateLimits` returns the usage of every rate limit.
 */
export interface Call {
  /** Chosen by the window; identifies the call for `cancel`. */
  id: string
  path: WindowPath | 'connect' | 'pauseRefresh' | 'desktop.followInvitations' | 'rateLimits' | 'undo'
  args: readonly unknown[]
  /** `playerRevision` of the state that the window showed when the game called. Absent before it has one. */
  playerRevision?: number
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
  /** The beginning of a link of the app's scheme that ends with the secret of an invitation. */
  inviteAddress?: string | undefined
  /** States of the player's lobbies. */
  lobbies: readonly unknown[]
  /** The service's program on this computer. Absent without the option `localProgram`. */
  desktop?: { status: DesktopStatus; user: DesktopUser | null } | undefined
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
