/** Lobbies of accepted invitations into an Activity. */
import { FoyerError } from '../../shared/foundation/errors'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/client-context'
import type { LazyLobbies } from './lazy-lobbies'

/** Joins the lobbies of accepted invitations while somebody follows them; the last earlier one is joined then. */
export class InvitationJoins {
  readonly #context: ClientContext
  readonly #lobbies: LazyLobbies
  #followers = 0
  #waiting: { secret: string; caller: Caller | undefined } | undefined

  constructor(context: ClientContext, lobbies: LazyLobbies) {
    this.#context = context
    this.#lobbies = lobbies
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
    this.#lobbies.join(callerOf(this.#context, caller), secret).then(
      (lobby) => emit('activityLobby', { lobby }),
      (error: unknown) =>
        log('warn', 'activity.join_failed', { code: error instanceof FoyerError ? error.code : 'unknown' }),
    )
  }
}

/** The player of an earlier moment; the one of this moment if nobody was signed in then. */
export function callerOf({ authState }: ClientContext, earlier: Caller | undefined): Caller {
  return earlier?.userId === undefined ? authState.caller : earlier
}
