/** Keeps the lobbies of a player beside the session, and says when they are stored. */
import { createDeferred } from '../../shared/foundation/async'
import { changeKept } from './kept-lobby'
import type { LobbyId } from './lobby-state'
import type { Caller } from '../session/caller'
import type { LobbyClient } from './lobby-client'

/** ms for which a call waits for a store. */
const STORE_WAIT = 1000

export class KeptLobbies {
  readonly #client: LobbyClient
  /** Settles with the last change. Undefined if none is on its way. */
  #changing: Promise<void> | undefined

  constructor(client: LobbyClient) {
    this.#client = client
  }

  /** Keeps the secret of a lobby, or forgets the lobby without one. A store that fails is logged by the session. */
  change({ userId }: Caller, id: LobbyId, secret: string | undefined): void {
    const { sessions, options } = this.#client
    const { keepLobbies, tokenStore, applicationId } = options
    if (keepLobbies === false || !tokenStore || userId === undefined) return
    const change = (text: string | undefined) => changeKept(text, { userId, applicationId }, { id, secret })
    const changing = sessions()
      .then(({ currentSession }) => currentSession.changeLobbies(userId, change))
      .catch(() => undefined)
      .finally(() => {
        if (this.#changing === changing) this.#changing = undefined
      })
    this.#changing = changing
  }

  /** Resolves when every change is stored, since the game may leave the page next, and at the latest after a second. Never rejects. */
  async stored(): Promise<void> {
    if (!this.#changing) return
    const { options, closeSignal } = this.#client
    const waiting = createDeferred<void>(options.clock, {
      timeout: STORE_WAIT,
      signals: [closeSignal],
      makeError: (code) => new Error(code),
    })
    this.#changing.then(waiting.resolve, waiting.resolve)
    await waiting.promise.catch(() => undefined)
  }
}
