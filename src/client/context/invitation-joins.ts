/** Lobbies of accepted invitations into an Activity. */
import { FoyerError } from '../../shared/foundation/errors'
import type { Caller } from './caller'
import type { ClientContext } from './client-context'
import { joinLobby } from './join-lobby'

/** Joins the lobbies of accepted invitations while somebody follows them; the last earlier one is joined then. */
export class InvitationJoins {
  readonly #context: ClientContext
  #followers = 0
  #waiting: { secret: string; caller: Caller | undefined } | undefined

  constructor(context: ClientContext) {
    this.#context = context
  }

  /** `caller`: the player who was signed in when the invitation was accepted. Without one it belongs to the player who signs in. */
  accept(secret: string, caller?: Caller): void {
    this.#waiting = { secret, caller }
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
    const { secret, caller } = this.#waiting
    this.#waiting = undefined
    joinLobby(this.#context, { secret, caller }).then(
      (lobby) => emit('activityLobby', { lobby }),
      (error: unknown) =>
        log('warn', 'activity.join_failed', { code: error instanceof FoyerError ? error.code : 'unknown' }),
    )
  }
}
