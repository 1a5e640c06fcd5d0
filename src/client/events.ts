/** The events of a client; each carries one object. */
import type { SessionError } from '../foundation/errors'
import type { ActivityLaunch } from '../activity/launch'
import type { ActivityParticipant } from '../activity/participants'
import type { LogEntry } from '../foundation/log'
import type { LobbyEvents } from '../lobbies/lobby-cache'
import type { RateLimitDelayedEvent, RateLimitedEvent } from '../rate-limit/events'
import type { Session } from '../tokens/session/session'

/** Whether the client can act for a player. */
export type ClientStatus = 'disconnected' | 'connecting' | 'ready' | 'reconnecting'

export interface ClientEvents extends LobbyEvents {
  statusChanged: (event: { status: ClientStatus; previous: ClientStatus }) => void
  /** Signed in, signed out, or changed to another player, here or in another tab. `cause`: why a session ended that the game did not end here. */
  sessionChanged: (event: { session: Session | null; previous: Session | null; cause?: SessionError | undefined }) => void
  /** The access token ends soon, and the SDK cannot renew it, or may not yet. Once for each token: get a new one for `updateToken`, or release the hold. */
  tokenExpiring: (event: { session: Session; expiresAt: number }) => void
  /** The session goes on with new tokens. `elsewhere`: another tab renewed it. The granted scopes may have changed. */
  tokenRefreshed: (event: { session: Session; previous: Session; elsewhere: boolean }) => void
  /** The sign-in window reads as closed, which is a hint and no proof. A good moment to show a Cancel button. */
  maybeClosed: (event: { at: number }) => void
  /** A limit is in force: the service refused a call, or one was refused here before it left. */
  rateLimited: (event: RateLimitedEvent) => void
  /** A call has to wait for a limit, and how long at the least. */
  rateLimitDelayed: (event: RateLimitDelayedEvent) => void
  /**
   * Electron: no browser opened, and the sign-in waits. Show the player `url`, to be opened elsewhere: with `userCode` to type in there,
   * or else with a field for the address that they end on, which goes to `handleCallback`. `expiresAt`: epoch ms.
   */
  browserUnavailable: (event: { url: string; userCode?: string; expiresAt?: number }) => void
  /** The host window of an Activity has said READY. */
  activityLaunched: (event: { launch: ActivityLaunch }) => void
  /** Somebody came into the Activity or left it. */
  activityParticipants: (event: { participants: readonly ActivityParticipant[] }) => void
  /** The player accepted an invitation to a party: its join secret. */
  activityJoin: (event: { secret: string }) => void
  /** The host window has ended the Activity. `code` names its close code. */
  activityClosed: (event: { closeCode: number; code: string }) => void
  log: (entry: LogEntry) => void
}
