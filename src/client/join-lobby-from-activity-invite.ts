/** Lobbies of accepted invitations into an Activity. */
import { FoyerError } from '../foundation/errors'
import type { ClientContext } from './shared-client-state'

/** Joins the lobbies of accepted invitations while somebody follows them; the last earlier one is joined then. */
export class InvitationJoins {
  readonly #context: ClientContext
  #followers = 0
  #waiting: string | undefined

  constructor(context: ClientContext) {
    this.#context = context
  }

  /** An invitation was accepted. */
  accept(secret: string): void {
    this.#waiting = secret
    this.#join()
  }

  /** Joins lobbies until the returned function is called. */
  follow(): () => void {
    let following = true
    this.#followers++
    this.#join()
    return () => {
      if (following) this.#followers--
      following = false
    }
  }

  #join(): void {
    const { emit, log } = this.#context
    if (this.#followers === 0 || this.#waiting === undefined) return
    const secret = this.#waiting
    this.#waiting = undefined
    this.#context.joinLobby(secret).then(
      (lobby) => emit('activityLobby', { lobby }),
      (error: unknown) => log('warn', 'activity.join_failed', { code: error instanceof FoyerError ? error.code : 'unknown' }),
    )
  }
}
