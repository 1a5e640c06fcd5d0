/** Authentication state of a client: the signed-in session and the connection status. */
import { SessionError } from '../../shared/foundation/errors'
import type { Session } from '../session/session'
import { Caller } from './caller'
import type { ClientStatus, EmitEvent } from './client-events'

export interface AuthState {
  session: Session | null
  status: ClientStatus
  /** The current player as the owner of the calls that begin now. */
  readonly caller: Caller
  /** Runs a sign-in and adopts its outcome, unless the player signed out meanwhile. A failed sign-in changes nothing. */
  runSignIn<Outcome>(signIn: () => Promise<Outcome>, adopt: (outcome: Outcome) => Promise<Session | null>): Promise<Session>
  /** Called when the signed-in user changes, also to nobody. */
  onUserChanged?: () => void
  /** Updates session and status and emits `sessionChanged` and `statusChanged` if they changed. `cause`: as for `clear`. */
  set(session: Session | null, status: ClientStatus, cause?: SessionError): void
  /** Removes the session. `cause`: why it ended, absent when the game signed out. A sign-in in progress continues if there is a cause. */
  clear(cause?: SessionError): void
  /** Removes the session of a closed client, whose calls end by its `closeSignal`. */
  close(): void
}

/** Numbers of ended sessions and of sign-outs by the game; an outcome that arrives after either changed is outdated. */
interface Counts {
  ends: number
  signOuts: number
}

export function createAuthState(emit: EmitEvent): AuthState {
  const counts: Counts = { ends: 0, signOuts: 0 }
  let caller = new Caller(undefined)
  const authState: AuthState = {
    session: null,
    status: 'disconnected',
    get caller() {
      return caller
    },
    set(session, status, cause) {
      const { session: before, status: previous } = authState
      Object.assign(authState, { session, status })
      const ended = caller
      if (ended.userId !== session?.userId) {
        caller = new Caller(session?.userId)
        ended.end(cause)
      }
      // Before the event: its listeners find the lobbies of the previous player ended.
      if (before?.userId !== session?.userId) authState.onUserChanged?.()
      if (before !== session) emit('sessionChanged', { session, previous: before, cause })
      // A listener of `sessionChanged` may have set another status and emitted the event itself.
      if (previous !== status && authState.status === status) emit('statusChanged', { status, previous })
    },
    runSignIn: (signIn, adopt) => runSignIn({ authState, counts }, signIn, adopt),
    clear(cause) {
      counts.ends += 1
      if (!cause) counts.signOuts += 1
      authState.set(null, 'disconnected', cause)
    },
    close() {
      caller = new Caller(undefined)
      authState.clear()
    },
  }
  return authState
}

async function runSignIn<Outcome>(
  { authState, counts }: { authState: AuthState; counts: Counts },
  signIn: () => Promise<Outcome>,
  adopt: (outcome: Outcome) => Promise<Session | null>,
): Promise<Session> {
  const { signOuts } = counts
  // Called synchronously, before any event or await: a popup needs the player's click.
  const signingIn = signIn()
  if (!authState.session) authState.set(null, 'connecting')
  try {
    const outcome = await signingIn
    const { ends } = counts
    const session = signOuts === counts.signOuts ? await adopt(outcome) : null
    if (!session || ends !== counts.ends) throw new SessionError('signed_out')
    authState.set(session, 'ready')
    return session
  } finally {
    if (authState.status === 'connecting') authState.set(null, 'disconnected')
  }
}
