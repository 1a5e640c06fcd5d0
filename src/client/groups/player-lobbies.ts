/** The lobbies that the player of one client is in: how they begin, what changes them, and what ends with the player. */
import { ConfigurationError, SessionError } from '../../shared/foundation/errors'
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { PlayerApi } from './player-api'
import { Lobby } from '../lobbies/lobby'
import type { LobbyReport } from '../lobbies/live-lobbies'
import { LobbyCache } from '../lobbies/lobby-cache'
import { LobbyCalls } from '../lobbies/lobby-calls'
import type { LobbyEndReason, LobbyId, LobbyState } from '../lobbies/lobby-state'
import type { LobbyUpdate, PlayerRequests } from '../lobbies/lobby-updates'
import { MessagePulls } from '../lobbies/message-pulls'
import { toLobby } from '../lobbies/read-lobby'
import { ReturningLobbies } from './returning-lobbies'
import type { JoinOptions } from '../lobbies/validate-player-input'

const JOIN_OPTIONS = ['metadata', 'member', 'idleTimeout', 'signal'] as const
const STREAM_REMEDY =
  "Give lobbyStream('https://game.example/lobbies'), with the address of your backend's hub"
const LOBBY_REMEDY =
  'Give the JSON of a lobby that has this player as a member, as ApplicationClient.lobbies.create() returns it'

export class PlayerLobbies {
  readonly #context: ClientContext
  readonly #cache: LobbyCache<Lobby>
  readonly #calls: LobbyCalls
  /** Reads of a stream, if there is one. */
  readonly #pulls: MessagePulls
  readonly #returning: ReturningLobbies

  /** @param kept the lobbies that were kept beside the session, as text. */
  constructor(context: ClientContext, api: PlayerApi, kept: string | undefined) {
    this.#context = context
    const { emit } = context
    const report: LobbyReport<Lobby> = {
      lobbyCreated: (event) => {
        if (context.options.lobbyUpdates) this.#pulls.begin(event.lobby.id)
        emit('lobbyCreated', event)
      },
      lobbyUpdated: (event) => emit('lobbyUpdated', event),
      lobbyDeleted: (event) => {
        this.#pulls.end(event.lobby.id)
        emit('lobbyDeleted', event)
      },
      lobbyMessage: (event) => emit('lobbyMessage', event),
    }
    const create = (state: LobbyState) => new Lobby(state, this.#calls)
    const cache = new LobbyCache(create, report, (...change) => this.#calls.keep(...change))
    const calls = new LobbyCalls(context, api, cache)
    this.#cache = cache
    this.#calls = calls
    this.#pulls = new MessagePulls({
      cache,
      fetch: (lobbyId, limit) => calls.requests(calls.caller).messages(lobbyId, limit, {}),
    })
    this.#returning = new ReturningLobbies({ context, cache, calls })
    // Before the stream begins, which is told their ids.
    this.#returning.expect(calls.caller, kept)
  }

  get(id: string): Lobby | undefined {
    return this.#cache.get(id)
  }

  all(): Lobby[] {
    return this.#cache.all()
  }

  /** Ids of all lobbies, also of those that are about to come back. */
  ids(): LobbyId[] {
    return this.#cache.ids()
  }

  /** @throws The errors of `createOrJoinLobby`. */
  async join(caller: Caller, secret: string, given: (JoinOptions & CallOptions) | undefined): Promise<Lobby> {
    const options = checkOptions(given, JOIN_OPTIONS)
    const state =
      this.#returned(caller, secret, options) ?? (await this.#calls.requests(caller).join(secret, options))
    this.#calls.announce(caller, { lobbyId: state.id })
    if (this.#context.invitation === secret) this.#context.invitation = undefined
    return this.#cache.of(state, caller.isCurrent ? 'unknown' : 'signed_out')
  }

  /** @throws ConfigurationError `invalid_argument`. @throws SessionError `signed_out`. */
  add(caller: Caller, body: unknown): Lobby {
    caller.requireCurrent()
    const state = toLobby(body)
    if (caller.userId === undefined) throw new SessionError('signed_out')
    if (!state?.members.some(({ id }) => id === caller.userId))
      throw new ConfigurationError('invalid_argument', 'lobby', { remedy: LOBBY_REMEDY })
    this.#cache.putOwn(state)
    return this.#cache.of(state)
  }

  /** Brings back the lobbies that are kept beside the session of this player. Never rejects. */
  restore(caller: Caller, kept: string | undefined): Promise<void> {
    return this.#returning.restore(caller, kept)
  }

  /**
   * Applies lobby updates to the cache, and ends everything with the session. Each player has a stream of their own.
   *
   * @param player requests of that stream. Default: there is none.
   */
  follow(player: PlayerRequests | undefined): void {
    const { authState, closeSignal, log, options } = this.#context
    const { clock, lobbyUpdates } = options
    if (lobbyUpdates && typeof lobbyUpdates.subscribe !== 'function')
      throw new ConfigurationError('invalid_argument', 'lobbyUpdates', { remedy: STREAM_REMEDY })
    const receive = (update: LobbyUpdate) => {
      if (update.type === 'messagePending') this.#pulls.pull(update.lobbyId, update.messageId)
      else this.#cache.update(update, authState.session?.userId)
      this.#returning.received()
    }
    const subscribe = () => lobbyUpdates?.subscribe(receive, { clock, log, ...(player && { player }) })
    let unsubscribe = subscribe()
    authState.onUserChanged = () => {
      this.#end('signed_out')
      unsubscribe?.()
      unsubscribe = authState.session ? subscribe() : undefined
    }
    closeSignal.addEventListener('abort', () => {
      unsubscribe?.()
      this.#end('closed')
    })
  }

  /** The first join of a lobby that is back needs no request, unless it changes something. */
  #returned(caller: Caller, secret: string, options: JoinOptions & CallOptions): LobbyState | undefined {
    const { metadata, member, idleTimeout, signal } = options
    if (!caller.isCurrent || metadata || member || idleTimeout !== undefined || signal?.aborted)
      return undefined
    return this.#cache.get(this.#returning.take(secret) ?? '')?.toJSON()
  }

  #end(reason: LobbyEndReason): void {
    this.#calls.end()
    this.#cache.clear(reason)
    this.#calls.clearQueues()
    this.#returning.clear()
    this.#pulls.clear()
  }
}
