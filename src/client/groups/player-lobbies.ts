/** The lobbies that the player of one client is in: how they begin, come back after a reload, what changes them, and what ends with the player. */
import {
  ConfigurationError,
  SessionError,
  ApiError,
  FoyerError,
  RateLimitError,
} from '../../shared/foundation/errors'
import { ownerOf } from '../../shared/authorization/authorization-result'
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { PlayerCallsPort } from '../lobbies/client-port'
import { Lobby, LobbyCalls } from '../lobbies/lobby'
import type { LobbyReport } from '../lobbies/live-lobby'
import { LobbyCache } from '../lobbies/lobby-cache'
import type { LobbyEndReason, LobbyId, LobbyState } from '../lobbies/lobby-state'
import type { LobbyUpdate, PlayerRequests } from '../lobbies/lobby-updates'
import { MessagePulls } from '../lobbies/new-messages'
import { toLobby } from '../lobbies/read-lobby'
import { type JoinOptions, refuseForeignOptions } from '../lobbies/lobby-requests'
import { createDeferred } from '../../shared/foundation/async'
import { type KeptLobby, readKept } from '../lobbies/kept-lobbies'

const JOIN_OPTIONS = ['metadata', 'member', 'idleTimeout', 'signal'] as const
const STREAM_REMEDY =
  "Give lobbyStream('https://game.example/lobbies'), with the address of your backend's hub"
const LOBBY_REMEDY =
  'Give the JSON of a lobby that has this player as a member, as ApplicationClient.lobbies.create() returns it'

const UNTAKEN = {
  remedy:
    'This page was opened by an invitation, and nobody reads it: call client.takeInvitation() when the page starts, and join its secret',
}

export class PlayerLobbies {
  readonly #context: ClientContext
  readonly #cache: LobbyCache<Lobby>
  readonly #calls: LobbyCalls
  /** Reads of a stream, if there is one. */
  readonly #pulls: MessagePulls
  readonly #returning: ReturningLobbies

  /** @param kept the lobbies that were kept beside the session, as text. */
  constructor(context: ClientContext, player: PlayerCallsPort, kept: string | undefined) {
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
    const calls = new LobbyCalls(context, player, cache)
    this.#cache = cache
    this.#calls = calls
    this.#pulls = new MessagePulls({
      clock: context.options.clock,
      cache,
      fetch: (lobbyId, limit) => calls.requests(calls.caller).fetchMessages(lobbyId, limit, {}),
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
    refuseForeignOptions(given)
    const options = checkOptions(given, JOIN_OPTIONS)
    const show = this.#holdNew()
    try {
      const state =
        this.#returned(caller, secret, options) ?? (await this.#calls.requests(caller).join(secret, options))
      this.#calls.announce(caller, { lobbyId: state.id })
      if (this.#context.invitation === secret) this.#context.invitation = undefined
      const { options: client, log } = this.#context
      client.forgetInvitation?.(ownerOf(client))
      if (client.shownInvitation?.() !== undefined) log('warn', 'invitation.untaken', UNTAKEN)
      return this.#cache.of(state, caller.isCurrent ? 'unknown' : 'signed_out')
    } finally {
      show()
    }
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

  /** Lets new lobbies of the stream wait for a join, whose lobby is then shown with its secret. The returned function ends it. */
  #holdNew(): () => void {
    const show = this.#cache.hold()
    const cancel = this.#context.options.clock.after(HOLD, show)
    return () => {
      cancel()
      show()
    }
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

/** ms after which new lobbies of a stream wait for no join. One that waits for a rate limit may take longer. */
const HOLD = 2000
/** ms in which a stream shows the lobbies of the player. */
const STREAM_WAIT = 3000
/** ms after which `resume` waits no longer. */
const RESUME_WAIT = 5000
/** Codes with which the service says that the player cannot return. */
const OVER: ReadonlySet<string> = new Set(['unknown_lobby', 'missing_access'])

interface Parts {
  readonly context: ClientContext
  readonly cache: LobbyCache
  readonly calls: LobbyCalls
}

class ReturningLobbies {
  readonly #parts: Parts
  /** Cancel functions of waits for a rate limit, by lobby. */
  readonly #waiting = new Map<string, () => void>()
  /** Lobbies that are back and that no join has asked for since, by secret. */
  readonly #back = new Map<string, string>()
  /** Called after each update of the stream. */
  #check: () => void = () => undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Takes the kept list: its lobbies are named to the stream. */
  expect({ userId }: Caller, text: string | undefined): readonly KeptLobby[] {
    const { context, cache } = this.#parts
    const { applicationId } = context.options
    if (userId === undefined) return []
    const kept = readKept(text, { userId, applicationId })
    for (const { id, secret } of kept) cache.expect(id, secret)
    // The newest first: more than the limit allows follow later.
    return kept.filter(({ id }) => !cache.get(id)).sort((a, b) => kept.indexOf(b) - kept.indexOf(a))
  }

  /** Resolves when the lobbies are back, at the latest after 5 s: the others follow. Never rejects. */
  async restore(caller: Caller, text: string | undefined): Promise<void> {
    const { options, closeSignal } = this.#parts.context
    const missing = this.expect(caller, text)
    const waiting = createDeferred<void>(options.clock, {
      timeout: RESUME_WAIT,
      signals: [closeSignal],
      makeError,
    })
    this.#bringBack(caller, missing).then(waiting.resolve, waiting.resolve)
    await waiting.promise.catch(() => undefined)
  }

  /** A stream has shown something. */
  received(): void {
    this.#check()
  }

  /** The lobby of a secret that is back, for the first join with it: no request is needed. */
  take(secret: string): string | undefined {
    const id = this.#back.get(secret)
    this.#back.delete(secret)
    return id
  }

  clear(): void {
    for (const cancel of this.#waiting.values()) cancel()
    this.#waiting.clear()
    this.#back.clear()
  }

  async #bringBack(caller: Caller, missing: readonly KeptLobby[]): Promise<void> {
    const { context, cache } = this.#parts
    if (context.options.lobbyUpdates && missing.length > 0) await this.#untilShown(missing)
    for (const { id, secret } of missing) if (cache.get(id)) this.#back.set(secret, id)
    await Promise.all(missing.map((lobby) => this.#rejoin(caller, lobby)))
  }

  /** Resolves when the stream has shown each lobby or its end, at the latest after 3 s. */
  async #untilShown(missing: readonly KeptLobby[]): Promise<void> {
    const { context, cache } = this.#parts
    const shown = createDeferred<void>(context.options.clock, {
      timeout: STREAM_WAIT,
      signals: [context.closeSignal],
      makeError,
    })
    this.#check = () => {
      if (missing.every(({ id }) => cache.get(id) ?? !cache.isExpected(id))) shown.resolve()
    }
    this.#check()
    await shown.promise.catch(() => undefined)
    this.#check = () => undefined
  }

  async #rejoin(caller: Caller, lobby: KeptLobby): Promise<void> {
    const { context, cache, calls } = this.#parts
    const { id, secret } = lobby
    const isMissing = () => caller.isCurrent && !context.closeSignal.aborted && !cache.get(id)
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
    if (!isMissing() || !cache.isExpected(id)) return
    const requests = calls.requests(caller)
    try {
      // Only members may read: a join alone would create a lobby that has ended, and return to one that the player was removed from.
      await requests.fetchMessages(id, 1, { priority: 'low' })
      if (isMissing()) await requests.join(secret, { only: id })
      this.#back.set(secret, id)
    } catch (error) {
      if (isMissing()) this.#failed(caller, lobby, error)
    }
  }

  /** A lobby that has ended is forgotten. After any other failure, the next `resume` tries again. */
  #failed(caller: Caller, lobby: KeptLobby, error: unknown): void {
    const { context, cache } = this.#parts
    const code = error instanceof FoyerError ? error.code : 'unknown'
    context.log('warn', 'lobbies.not_back', { lobbyId: lobby.id, code })
    if (error instanceof ApiError && OVER.has(code)) return cache.drop(lobby.id, 'unknown')
    if (error instanceof RateLimitError)
      this.#waiting.set(
        lobby.id,
        context.options.clock.after(error.retryAfter, () => void this.#rejoin(caller, lobby)),
      )
  }
}

const makeError = (code: string): Error => new Error(code)
