/** Events of a client. Each carries one object. */
import type { SessionError } from '../../shared/foundation/errors'
import type { ActivityLaunch } from '../activity/activity-launch'
import type { ActivityParticipant } from '../activity/read-participants'
import type { LogEntry } from '../../shared/foundation/log-entry'
import type { EventEmitter } from 'eventemitter3'
import type { LobbyEndReason, LobbyMessage, LobbyState } from '../lobbies/lobby-state'
import type { Lobby } from '../lobbies/lobby'
import type { RateLimitDelayedEvent, RateLimitedEvent } from '../../shared/rate-limit/limiter-events'
import type { Session } from '../session/session'

/**
 * `disconnected`: no session. `connecting`: a sign-in is in progress. `ready`: signed in. `reconnecting`: the token could not be refreshed;
 * retried.
 */
export type ClientStatus = 'disconnected' | 'connecting' | 'ready' | 'reconnecting'

/** Event names and listeners, for `client.on`. */
export interface ClientEvents {
  /** The status changed. */
  statusChanged: (event: { status: ClientStatus; previous: ClientStatus }) => void
  /**
   * A player signed in or out, or the user changed, here or in another tab. `cause`: why the session ended, absent if the game signed out.
   */
  sessionChanged: (event: {
    session: Session | null
    previous: Session | null
    cause?: SessionError | undefined
  }) => void
  /**
   * The access token expires soon and the SDK cannot refresh it, or a hold is active. Emitted once per token; `expiresAt` in epoch ms. Call
   * `updateToken` with a new token, or release the hold.
   */
  tokenExpiring: (event: { session: Session; expiresAt: number }) => void
  /** The session has new tokens. `elsewhere`: true if another tab refreshed them. The granted scopes may have changed. */
  tokenRefreshed: (event: { session: Session; previous: Session; elsewhere: boolean }) => void
  /** The sign-in window seems to be closed. A hint only, good for showing a Cancel button. `at`: epoch ms. */
  maybeClosed: (event: { at: number }) => void
  /** A rate limit applies: the service refused a call, or the client did before sending it. */
  rateLimited: (event: RateLimitedEvent) => void
  /** A call waits for a rate limit; the event contains the minimum delay. */
  rateLimitDelayed: (event: RateLimitDelayedEvent) => void
  /**
   * Electron: no browser could be opened, and the sign-in waits. Show the player `url` to open elsewhere: with `userCode` to type in there,
   * or otherwise with a field for the address of the final page, to pass to `handleCallback`. `expiresAt`: epoch ms.
   */
  browserUnavailable: (event: { url: string; userCode?: string; expiresAt?: number }) => void
  /** The player is in a new lobby. */
  lobbyCreated: (event: { lobby: Lobby }) => void
  /** Metadata, members or linked channel of a lobby changed. `previous`: its state before. */
  lobbyUpdated: (event: { lobby: Lobby; previous: LobbyState }) => void
  /** The player is not in a lobby any more. */
  lobbyDeleted: (event: { lobby: Lobby; reason: LobbyEndReason }) => void
  /** A message was received in any lobby; once per message, including the player's own. */
  lobbyMessage: (event: { message: LobbyMessage }) => void
  /** The host window of an Activity sent READY. */
  activityLaunched: (event: { launch: ActivityLaunch }) => void
  /** A participant joined or left the Activity. */
  activityParticipants: (event: { participants: readonly ActivityParticipant[] }) => void
  /** The player accepted an invitation to a party, or in Electron opened an invitation link; `secret` is its join secret. */
  activityJoin: (event: { secret: string }) => void
  /** The client joined the lobby of an accepted invitation, as `ActivityHost.followInvitations` describes. */
  activityLobby: (event: { lobby: Lobby }) => void
  /** The host window ended the Activity. `code` is the name of its close code. */
  activityClosed: (event: { closeCode: number; code: string }) => void
  /** A log entry; the same entries as `ClientOptions.logger` receives. */
  log: (entry: LogEntry) => void
}

/** Emits an event of a client. */
export type EmitEvent = <Name extends keyof ClientEvents>(
  event: Name,
  ...args: EventEmitter.EventArgs<ClientEvents, Name>
) => void

/** Adds a listener of a client's event. Returns a function that removes it. */
export type ListenToEvent = <Name extends keyof ClientEvents>(
  event: Name,
  listener: EventEmitter.EventListener<ClientEvents, Name>,
) => () => void

/** Names for the check at run time. */
export const CLIENT_EVENTS: readonly (keyof ClientEvents)[] = [
  'statusChanged',
  'sessionChanged',
  'tokenExpiring',
  'tokenRefreshed',
  'maybeClosed',
  'rateLimited',
  'rateLimitDelayed',
  'browserUnavailable',
  'activityLaunched',
  'activityParticipants',
  'activityJoin',
  'activityLobby',
  'activityClosed',
  'lobbyCreated',
  'lobbyUpdated',
  'lobbyDeleted',
  'lobbyMessage',
  'log',
]
