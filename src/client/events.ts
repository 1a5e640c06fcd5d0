/** The events of a client; each carries one object. */
import type { LogEntry } from '../foundation/log'
import type { LobbyEvents } from '../lobbies/lobby-cache'
import type { Delayed, Limited } from '../rate-limit/events'
import type { Session } from '../tokens/session'

/** Whether the client can act for a player. */
export type ClientStatus = 'disconnected' | 'connecting' | 'ready' | 'reconnecting'

export interface ClientEvents extends LobbyEvents {
  statusChanged: (event: { status: ClientStatus; previous: ClientStatus }) => void
  /** Signed in, signed out, or changed to another player. */
  sessionChanged: (event: { session: Session | null; previous: Session | null }) => void
  /** The sign-in window reads as closed, which is a hint and no proof. A good moment to show a Cancel button. */
  maybeClosed: (event: { at: number }) => void
  /** A limit is in force: the service refused a call, or one was refused here before it left. */
  rateLimited: (event: Limited) => void
  /** A call has to wait for a limit, and how long at the least. */
  rateLimitDelayed: (event: Delayed) => void
  log: (entry: LogEntry) => void
}
