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
  /** Tells the game what is another now. `cause`: as for `leave`. */
  become(session: Session | null, status: ClientStatus, cause?: SessionError): void
  /** Forgets the session. `cause`: why, where it was not the game that asked for it. */
  leave(cause?: SessionError): void
}

export function createPresence(emit: EventEmitter<ClientEvents>['emit']): Presence {
  /** Grows whenever the player leaves, so that a late answer can be told from a current one. */
  let epoch = 0
  const presence: Presence = {
    session: null,
    status: 'disconnected',
    become(session, status, cause) {
      const { session: before, status: previous } = presence
      Object.assign(presence, { session, status })
      if (before !== session) emit('sessionChanged', { session, previous: before, cause })
      if (previous !== status) emit('statusChanged', { status, previous })
    },
    async enter(signIn, adopt) {
      const begun = epoch
      // Called before anything is told or awaited: this is still the player's click.
      const signingIn = signIn()
      if (!presence.session) presence.become(null, 'connecting')
      try {
        const outcome = await signingIn
        const session = begun === epoch ? await adopt(outcome) : null
        if (!session || begun !== epoch) throw new SessionError('signed_out')
        presence.become(session, 'ready')
        return session
      } catch (error) {
        presence.become(presence.session, presence.session ? 'ready' : 'disconnected')
        throw error
      }
    },
    leave(cause) {
      epoch += 1
      presence.become(null, 'disconnected', cause)
    },
  }
  return presence
}
