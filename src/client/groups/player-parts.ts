/** The player's lobbies and rate limits of one client, whose code loads with the first call that needs it. */
import { loadOnce } from '../../shared/foundation/async'
import type { CallOptions } from '../../shared/foundation/options'
import type { BackendAnswers } from './backend-calls'
import { loadBackend, loadPlayer } from '../context/capabilities'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { PlayerCalls } from './player-calls'
import type { Lobby } from '../lobbies/lobby'
import type { PlayerLobbies } from './player-lobbies'
import type { JoinOptions } from '../lobbies/lobby-requests'

export class PlayerParts {
  /** Loads the REST client of the player, which all calls share. */
  readonly calls: () => Promise<PlayerCalls>
  /** The code that `calls` has loaded. Absent until the first rate-limited call. */
  openedCalls: PlayerCalls | undefined
  /** The code that `lobbies` has loaded. Absent until the first call about lobbies. */
  openedLobbies: PlayerLobbies | undefined
  readonly #context: ClientContext
  /** Loads the lobbies. */
  readonly lobbies: () => Promise<PlayerLobbies>
  /** The lobbies that were kept beside the session, as text, until they are back. */
  #kept: string | undefined
  /** Lobbies that are coming back, and the player whose they are. */
  #returning: { readonly caller: Caller; readonly lobbies: Promise<void> } | undefined

  constructor(context: ClientContext, answers: BackendAnswers) {
    this.#context = context
    this.calls = loadOnce(async () => {
      const [{ PlayerCalls }, page] = await Promise.all([loadPlayer(), context.options.loadPage?.()])
      return (this.openedCalls = new PlayerCalls(context, page))
    })
    this.lobbies = loadOnce(async () => {
      const [{ PlayerLobbies }, calls] = await Promise.all([loadPlayer(), this.calls()])
      const backend = context.options.lobbyUpdates && (await loadBackend())
      const ids = () => this.openedLobbies?.ids() ?? []
      const requests = await backend?.createPlayerRequests(context, answers, ids)
      const lobbies = (this.openedLobbies = new PlayerLobbies(context, calls, this.#kept))
      // From here on the client has these lobbies: a stream may show the first at once.
      lobbies.follow(requests)
      return lobbies
    })
  }

  /**
   * Once it is loaded, waits for nothing: a join and a `leave` of the lobby's object, which loads nothing, stay in call order.
   * @throws The errors of `createOrJoinLobby`.
   */
  async join(caller: Caller, secret: string, options?: JoinOptions & CallOptions): Promise<Lobby> {
    this.#context.requireOpen()
    const lobbies = this.openedLobbies ?? (await this.lobbies())
    return lobbies.join(caller, secret, options)
  }

  /**
   * Brings back the lobbies that are kept beside the session of the current player. Their code loads only if there are any. Calls meanwhile
   * wait for the same lobbies. Never rejects.
   */
  restore(): Promise<void> {
    const { caller } = this.#context.authState
    if (this.#returning?.caller === caller) return this.#returning.lobbies
    const lobbies = this.#restore(caller).finally(() => {
      if (this.#returning?.lobbies === lobbies) this.#returning = undefined
    })
    this.#returning = { caller, lobbies }
    return lobbies
  }

  async #restore(caller: Caller): Promise<void> {
    if (caller.userId === undefined) return
    this.#kept = await (await this.#context.sessions()).readLobbies(caller.userId)
    if (this.#kept === undefined) return
    await this.lobbies().then((lobbies) => {
      const kept = this.#kept
      this.#kept = undefined
      return lobbies.restore(caller, kept)
    }, ignore)
  }
}

const ignore = (): void => undefined
