/** The events of a client; each carries one object. */
import type { LogEntry } from '../foundation/log'
import type { Session } from '../tokens/session'

/** Whether the client can act for a player. */
export type ClientStatus = 'disconnected' | 'connecting' | 'ready' | 'reconnecting'

export interface ClientEvents {
  statusChanged: (event: { status: ClientStatus; previous: ClientStatus }) => void
  /** Signed in, signed out, or changed to another player. */
  sessionChanged: (event: { session: Session | null; previous: Session | null }) => void
  /** The sign-in window reads as closed, which is a hint and no proof. A good moment to show a Cancel button. */
  maybeClosed: (event: { at: number }) => void
  /**
   * Electron: no browser opened, and the sign-in waits. Show the player `url`, to be opened elsewhere: with `userCode` to type in there,
   * or else with a field for the address that they end on, which goes to `handleCallback`. `expiresAt`: epoch ms.
   */
  browserUnavailable: (event: { url: string; userCode?: string; expiresAt?: number }) => void
  log: (entry: LogEntry) => void
}
