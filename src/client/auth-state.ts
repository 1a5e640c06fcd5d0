/** Who is signed in at a client, and whether it can act for them. */
import type { EventEmitter } from 'eventemitter3'
import { SessionError } from '../foundation/errors'
import type { Session } from '../tokens/session/session'
import type { ClientEvents, ClientStatus } from './events'

export interface AuthState {
  session: Session | null
  status: ClientStatus
  /** Runs a sign-in and adopts its outcome, unless the player signed out meanwhile. When it fails, everything stays as it was. */
  runSignIn<Outcome>(signIn: () => Promise<Outcome>, adopt: (outcome: Outcome) => Promise<Session | null>): Promise<Session>
  /** Called when the player is another, or nobody: what was theirs ends. */
  onUserChanged?: () => void
  /** Tells the game what is another now. `cause`: as for `leave`. */
  set(session: Session | null, status: ClientStatus, cause?: SessionError): void
  /** Forgets the session. `cause`: why, where it was not the game that asked for it; a player who is signing in again goes on. */
  clear(cause?: SessionError): void
}

export function createAuthState(emit: EventEmitter<ClientEvents>['emit']): AuthState {
  /** How often a session has ended, and how often because the game said so: a late answer can be told from a current one. */
  let ends = 0
  let leaves = 0
  const authState: AuthState = {
    session: null,
    status: 'disconnected',
    set(session, status, cause) {
      const { session: before, status: previous } = authState
      Object.assign(authState, { session, status })
      if (before !== session) emit('sessionChanged', { session, previous: before, cause })
      if (before?.userId !== session?.userId) authState.onUserChanged?.()
      // A listener may have changed it again, and told so.
      if (previous !== status && authState.status === status) emit('statusChanged', { status, previous })
    },
    async runSignIn(signIn, adopt) {
      const begun = leaves
      // Called before anything is told or awaited: this is still the player's click.
      const signingIn = signIn()
      if (!authState.session) authState.set(null, 'connecting')
      try {
        const outcome = await signingIn
        const before = ends
        const session = begun === leaves ? await adopt(outcome) : null
        if (!session || before !== ends) throw new SessionError('signed_out')
        authState.set(session, 'ready')
        return session
      } finally {
        if (authState.status === 'connecting') authState.set(null, 'disconnected')
      }
    },
    clear(cause) {
      ends += 1
      if (!cause) leaves += 1
      authState.set(null, 'disconnected', cause)
    },
  }
  return authState
}
