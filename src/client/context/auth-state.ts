/** Authentication state of a client: the signed-in session and the connection status. */
import { SessionError } from '../../shared/foundation/errors'
import type { Session } from '../session/session'
import { Caller } from '../session/caller'
import type { ClientStatus, EmitEvent } from './client-events'

/** A sign-in on its way. */
export interface Connecting {
  /** Shows the status `connecting`, while nobody is signed in. */
  show(): void
  /** Makes the session the current one. @throws SessionError `signed_out` if the player signed out meanwhile, or there is none. */
  adopt(makeSession: () => Promise<Session | null>): Promise<Session>
  /** Must be called in any case. */
  end(): void
}

export class AuthState {
  session: Session | null = null
  status: ClientStatus = 'disconnected'
  /** Called when the signed-in user changes, also to nobody. */
  onUserChanged?: () => void
  readonly #emit: EmitEvent
  #caller = new Caller(undefined)
  /** Numbers of ended sessions and of sign-outs by the game; an outcome that arrives after either changed is outdated. */
  #ends = 0
  #signOuts = 0

  constructor(emit: EmitEvent) {
    this.#emit = emit
  }

  /** The current player as the owner of the calls that begin now. */
  get caller(): Caller {
    return this.#caller
  }

  /** Begins a sign-in: what it brings becomes the session, unless the player signs out meanwhile. A failed one changes nothing. */
  connect(): Connecting {
    const signOuts = this.#signOuts
    return {
      show: () => {
        if (!this.session) this.set(null, 'connecting')
      },
      adopt: async (makeSession) => {
        const ends = this.#ends
        const session = signOuts === this.#signOuts ? await makeSession() : null
        if (!session || ends !== this.#ends) throw new SessionError('signed_out')
        this.set(session, 'ready')
        return session
      },
      end: () => {
        if (this.status === 'connecting') this.set(null, 'disconnected')
      },
    }
  }

  /** Runs a sign-in that needs no click: `find` brings what `adopt` makes the session. @throws as `Connecting.adopt`. */
  async whileConnecting<Found>(
    find: () => Promise<Found>,
    adopt: (found: Found) => Promise<Session | null>,
  ): Promise<Session> {
    const connecting = this.connect()
    try {
      const finding = find()
      connecting.show()
      const found = await finding
      return await connecting.adopt(() => adopt(found))
    } finally {
      connecting.end()
    }
  }

  /** Updates session and status and emits `sessionChanged` and `statusChanged` if they changed. `cause`: as for `clear`. */
  set(session: Session | null, status: ClientStatus, cause?: SessionError): void {
    const { session: before, status: previous } = this
    this.session = session
    this.status = status
    const ended = this.#caller
    if (ended.userId !== session?.userId) {
      this.#caller = new Caller(session?.userId)
      ended.end(cause)
    }
    // Before the event: its listeners find the lobbies of the previous player ended.
    if (before?.userId !== session?.userId) this.onUserChanged?.()
    if (before !== session) this.#emit('sessionChanged', { session, previous: before, cause })
    // A listener of `sessionChanged` may have set another status and emitted the event itself.
    if (previous !== status && this.status === status) this.#emit('statusChanged', { status, previous })
  }

  /** Removes the session. `cause`: why it ended, absent when the game signed out. A sign-in in progress continues if there is a cause. */
  clear(cause?: SessionError): void {
    this.#ends += 1
    if (!cause) this.#signOuts += 1
    this.set(null, 'disconnected', cause)
  }

  /** Removes the session of a closed client, whose calls end by its `closeSignal`. */
  close(): void {
    this.#caller = new Caller(undefined)
    this.clear()
  }
}
