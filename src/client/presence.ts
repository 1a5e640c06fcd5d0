/** Who is signed in at a client, and whether it can act for them. */
import { SessionError } from '../foundation/errors'
import type { Session } from '../tokens/session'
import type { ClientEvents, ClientStatus } from './events'

export interface PresenceEvents {
  status: (event: Parameters<ClientEvents['statusChanged']>[0]) => void
  session: (event: Parameters<ClientEvents['sessionChanged']>[0]) => void
}

export interface Presence {
  session: Session | null
  status: ClientStatus
  /** Runs a sign-in and adopts its outcome, unless the player signed out meanwhile. When it fails, everything stays as it was. */
  enter<Outcome>(signIn: () => Promise<Outcome>, adopt: (outcome: Outcome) => Promise<Session | null>): Promise<Session>
  /** Forgets the session. `cause`: why, where it was not the game that asked for it. */
  leave(cause?: SessionError): void
}

export function createPresence(tell: PresenceEvents): Presence {
  /** Grows whenever the player leaves, so that a late answer can be told from a current one. */
  let epoch = 0
  const become = (session: Session | null, status: ClientStatus, cause?: SessionError) => {
    const previous = { session: presence.session, status: presence.status }
    Object.assign(presence, { session, status })
    if (previous.session !== session) tell.session({ session, previous: previous.session, cause })
    if (previous.status !== status) tell.status({ status, previous: previous.status })
  }
  const presence: Presence = {
    session: null,
    status: 'disconnected',
    async enter(signIn, adopt) {
      const begun = epoch
      // Called before anything is told or awaited: this is still the player's click.
      const signingIn = signIn()
      if (!presence.session) become(null, 'connecting')
      try {
        const outcome = await signingIn
        const session = begun === epoch ? await adopt(outcome) : null
        if (!session || begun !== epoch) throw new SessionError('signed_out')
        become(session, 'ready')
        return session
      } catch (error) {
        become(presence.session, presence.session ? 'ready' : 'disconnected')
        throw error
      }
    },
    leave(cause) {
      epoch += 1
      become(null, 'disconnected', cause)
    },
  }
  return presence
}
