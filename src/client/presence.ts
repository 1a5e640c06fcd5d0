/** Who is signed in at a client, and whether it can act for them. */
import { SessionError } from '../foundation/errors'
import type { Session } from '../tokens/session'
import type { ClientEvents, ClientStatus } from './events'

/** Tells one of the two events that a change of presence has. */
type Tell = <Event extends 'statusChanged' | 'sessionChanged'>(event: Event, change: Parameters<ClientEvents[Event]>[0]) => void

export interface Presence {
  session: Session | null
  status: ClientStatus
  /** Runs a sign-in and adopts its session, unless the player signed out meanwhile. When it fails, everything stays as it was. */
  enter(signIn: () => Promise<Session | undefined>): Promise<Session>
  /** Forgets the session. */
  leave(): void
}

export function createPresence(tell: Tell): Presence {
  /** Grows whenever the player leaves, so that a late answer can be told from a current one. */
  let epoch = 0

  function setSession(session: Session | null): void {
    const previous = presence.session
    presence.session = session
    if (previous !== session) tell('sessionChanged', { session, previous })
  }

  function setStatus(status: ClientStatus): void {
    const previous = presence.status
    presence.status = status
    if (previous !== status) tell('statusChanged', { status, previous })
  }

  const presence: Presence = {
    session: null,
    status: 'disconnected',
    async enter(signIn) {
      const begun = epoch
      // Called before anything is told or awaited: this is still the player's click.
      const signingIn = signIn()
      if (!presence.session) setStatus('connecting')
      try {
        const session = await signingIn
        if (!session || begun !== epoch) throw new SessionError('signed_out')
        setSession(session)
        return session
      } finally {
        setStatus(presence.session ? 'ready' : 'disconnected')
      }
    },
    leave() {
      epoch += 1
      setSession(null)
      setStatus('disconnected')
    },
  }
  return presence
}
