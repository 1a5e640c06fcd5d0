/** Lobbies of accepted invitations into an Activity. */
import { FoyerError } from '../../shared/foundation/errors'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { PlayerParts } from './player-parts'

/** Joins the lobbies of accepted invitations while somebody follows them, one at a time. The last one waits for a follower and for a sign-in. */
export class InvitationJoins {
  readonly #context: ClientContext
  readonly #player: PlayerParts
  #followers = 0
  #isJoining = false
  #waiting: { secret: string; caller: Caller | undefined } | undefined

  constructor(context: ClientContext, player: PlayerParts) {
    this.#context = context
    this.#player = player
  }

  /** `caller`: the player who was signed in when the invitation was accepted. Without one it belongs to the player who signs in. */
  accept(secret: string, caller?: Caller): void {
    this.#waiting = { secret, caller }
    this.goOn()
  }

  /** Joins lobbies until the returned function is called. */
  follow(): () => void {
    let following = true
    this.#followers++
    this.goOn()
    return () => {
      if (following) this.#followers--
      following = false
    }
  }

  /** Joins the lobby that waits, if nothing is missing: a player has signed in, for example. */
  goOn(): void {
    if (this.#followers === 0 || this.#isJoining || this.#waiting === undefined) return
    const { secret, caller: earlier } = this.#waiting
    const caller = callerOf(this.#context, earlier)
    if (caller.userId === undefined) return
    this.#waiting = undefined
    this.#isJoining = true
    void this.#join(caller, secret)
  }

  async #join(caller: Caller, secret: string): Promise<void> {
    const { emit, log } = this.#context
    try {
      emit('activityLobby', { lobby: await this.#player.join(caller, secret) })
    } catch (error) {
      log('warn', 'activity.join_failed', { code: error instanceof FoyerError ? error.code : 'unknown' })
    }
    this.#isJoining = false
    this.goOn()
  }
}

/** The player of an earlier moment; the one of this moment if nobody was signed in then. */
export function callerOf({ authState }: ClientContext, earlier: Caller | undefined): Caller {
  return earlier?.userId === undefined ? authState.caller : earlier
}
