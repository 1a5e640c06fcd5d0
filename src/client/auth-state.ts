/** Authentication state of a client: the signed-in session and the connection status. */
import type { EventEmitter } from 'eventemitter3'
import { SessionError } from '../foundation/errors'
import type { Session } from '../tokens/session/session-user-tokens-and-scopes'
import type { ClientEvents, ClientStatus } from './client-events'

export interface AuthState {
  session: Session | null
  status: ClientStatus
  /** Runs a sign-in and adopts its outcome, unless the player signed out meanwhile. A failed sign-in changes nothing. */
  runSignIn<Outcome>(signIn: () => Promise<Outcome>, adopt: (outcome: Outcome) => Promise<Session | null>): Promise<Session>
  /** Called when the signed-in user changes, also to nobody. */
  onUserChanged?: () => void
  /** Updates session and status and emits `sessionChanged` and `statusChanged` if they changed. `cause`: as for `clear`. */
  set(session: Session | null, status: ClientStatus, cause?: SessionError): void
  /** Removes the session. `cause`: why it ended, absent when the game signed out. A sign-in in progress continues if there is a cause. */
  clear(cause?: SessionError): void
}

export function createAuthState(emit: EventEmitter<ClientEvents>['emit']): AuthState {
  /** Counts ended sessions and sign-outs by the game; an outcome that arrives after either changed is outdated. */
  let endCount = 0
  let signOutCount = 0
  const authState: AuthState = {
    session: null,
    status: 'disconnected',
    set(session, status, cause) {
      const { session: before, status: previous } = authState
      Object.assign(authState, { session, status })
      if (before !== session) emit('sessionChanged', { session, previous: before, cause })
      if (before?.userId !== session?.userId) authState.onUserChanged?.()
      // A listener of `sessionChanged` may have set another status and emitted the event itself.
      if (previous !== status && authState.status === status) emit('statusChanged', { status, previous })
    },
    async runSignIn(signIn, adopt) {
      const signOutsBefore = signOutCount
      // Called synchronously, before any event or await: a popup needs the player's click.
      const signingIn = signIn()
      if (!authState.session) authState.set(null, 'connecting')
      try {
        const outcome = await signingIn
        const endsBefore = endCount
        const session = signOutsBefore === signOutCount ? await adopt(outcome) : null
        if (!session || endsBefore !== endCount) throw new SessionError('signed_out')
        authState.set(session, 'ready')
        return session
      } finally {
        if (authState.status === 'connecting') authState.set(null, 'disconnected')
      }
    },
    clear(cause) {
      endCount += 1
      if (!cause) signOutCount += 1
      authState.set(null, 'disconnected', cause)
    },
  }
  return authState
}
