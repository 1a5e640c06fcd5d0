/** Who is signed in at a client, and whether it can act for them. */
import type { EventEmitter } from 'eventemitter3'
import { SessionError } from '../foundation/errors'
import type { Session } from '../tokens/session'
import type { ClientEvents, ClientStatus } from './events'

export interface Presence {
  session: Session | null
  status: ClientStatus
  /** Runs a sign-in and adopts its outcome, unless the player signed out meanwhile. When it fails, everything stays as it was. */
  enter<Outcome>(signIn: () => Promise<Outcome>, adopt: (outcome: Outcome) => Promise<Session | null>): Promise<Session>
  /** Called when the player is another, or nobody: what was theirs ends. */
  ended?: () => void
  /** Tells the game what is another now. `cause`: as for `leave`. */
  become(session: Session | null, status: ClientStatus, cause?: SessionError): void
  /** Forgets the session. `cause`: why, where it was not the game that asked for it; a player who is signing in again goes on. */
  leave(cause?: SessionError): void
}

export function createPresence(emit: EventEmitter<ClientEvents>['emit']): Presence {
  /** How often a session has ended, and how often because the game said so: a late answer can be told from a current one. */
  let ends = 0
  let leaves = 0
  const presence: Presence = {
    session: null,
    status: 'disconnected',
    become(session, status, cause) {
      const { session: before, status: previous } = presence
      Object.assign(presence, { session, status })
      if (before !== session) emit('sessionChanged', { session, previous: before, cause })
      if (before?.userId !== session?.userId) presence.ended?.()
      // A listener may have changed it again, and told so.
      if (previous !== status && presence.status === status) emit('statusChanged', { status, previous })
    },
    async enter(signIn, adopt) {
      const begun = leaves
      // Called before anything is told or awaited: this is still the player's click.
      const signingIn = signIn()
      if (!presence.session) presence.become(null, 'connecting')
      try {
        const outcome = await signingIn
        const before = ends
        const session = begun === leaves ? await adopt(outcome) : null
        if (!session || before !== ends) throw new SessionError('signed_out')
        presence.become(session, 'ready')
        return session
      } finally {
        if (presence.status === 'connecting') presence.become(null, 'disconnected')
      }
    },
    leave(cause) {
      ends += 1
      if (!cause) leaves += 1
      presence.become(null, 'disconnected', cause)
    },
  }
  return presence
}
