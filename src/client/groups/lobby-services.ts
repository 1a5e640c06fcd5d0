/** Services of the lobbies of one client: requests, live updates, and what ends with the player. */
import type { CallOptions } from '../../shared/foundation/options'
import { parseLaunch } from '../activity/activity-launch'
import { listenToAbort } from '../../shared/foundation/abort-group'
import { ConfigurationError, SessionError } from '../../shared/foundation/errors'
import { runCallback } from '../../shared/foundation/run-callback'
import { fetchUnfollowed } from '../../shared/http/fetch-unfollowed'
import type { LimitedApi } from '../../shared/http/limited-api'
import type { LobbyEndReason, LobbyState } from '../lobbies/lobby-state'
import type { LobbyUpdate, OwnChange, PlayerRequests } from '../lobbies/lobby-updates'
import { LobbyCache } from '../lobbies/lobby-cache'
import { LobbyCallQueues } from '../lobbies/lobby-call-queue'
import { MessagePulls } from '../lobbies/message-pulls'
import { MEMBER, PlayerLobbies } from '../lobbies/player-lobbies'
import { toLobby } from '../lobbies/read-lobby'
import { watch, type WatchContext } from '../lobbies/poll-messages'
import type { JoinOptions } from '../lobbies/validate-player-input'
import { bearerOf } from '../../shared/tokens/kept-token'
import type { Caller } from '../context/caller'
import type { ClientContext } from '../context/client-context'
import { playerCredentials } from '../context/create-user-api'
import { activityAddress } from '../lobbies/invite-link'
import { LiveLobbies } from '../lobbies/live-lobbies'
import { Lobby } from '../lobbies/lobby'
import type { LobbyCalls, Polling, WatchedLobby } from '../lobbies/lobby-calls'
import { KeptLobbies } from './kept-lobbies'
import { ReturningLobbies } from './returning-lobbies'

const LOBBY_REMEDY =
  'Give the JSON of a lobby that has this player as a member, as ApplicationClient.lobbies.create() returns it'

export class LobbyServices {
  readonly #context: ClientContext
  readonly #limited: LimitedApi
  readonly #live: LiveLobbies<Lobby>
  readonly #cache: LobbyCache
  readonly #kept: KeptLobbies
  /** Reads of a stream, if there is one. */
  readonly #pulls: MessagePulls
  readonly #queues: LobbyCallQueues
  readonly #returning: ReturningLobbies
  /** Cancel functions of `autoLeave` by lobby id. */
  readonly #autoLeaves = new Map<string, () => void>()
  readonly #watchers = new Set<AbortController>()

  /** @param player requests of a stream of updates, if there is one. */
  constructor(context: ClientContext, limited: LimitedApi, player: PlayerRequests | undefined) {
    this.#context = context
    this.#limited = limited
    const { emit } = context
    this.#live = new LiveLobbies((state, take) => new Lobby(state, take, () => this.#callsOf(this.#caller)), {
      lobbyCreated: (event) => {
        if (context.lobbyUpdates) this.#pulls.begin(event.lobby.id)
        emit('lobbyCreated', event)
      },
      lobbyUpdated: (event) => emit('lobbyUpdated', event),
      lobbyDeleted: (event) => {
        this.#pulls.end(event.lobby.id)
        emit('lobbyDeleted', event)
      },
      lobbyMessage: (event) => emit('lobbyMessage', event),
    })
    context.liveLobbies = this.#live
    this.#kept = new KeptLobbies(context)
    this.#cache = new LobbyCache(context.lobbyStates, this.#live, (id, secret) => {
      // A reload leaves a lobby with `autoLeave`.
      if (secret === undefined || !this.#autoLeaves.has(id)) this.#kept.change(this.#caller, id, secret)
    })
    this.#queues = new LobbyCallQueues(context.clock)
    const fetchMessages = (lobbyId: string, limit: number) =>
      this.#lobbiesOf(this.#caller).messages(lobbyId, limit, {})
    this.#pulls = new MessagePulls({ cache: this.#cache, fetch: fetchMessages })
    this.#returning = new ReturningLobbies({
      context,
      cache: this.#cache,
      lobbiesOf: (caller) => this.#lobbiesOf(caller),
    })
    context.lobbyIds = () => this.#cache.ids()
    // Before the stream begins, which is told their ids.
    this.#returning.expect(this.#caller)
    this.#connectUpdates(player)
  }

  get #caller(): Caller {
    return this.#context.authState.caller
  }

  #lobbiesOf(caller: Caller): PlayerLobbies {
    const { applicationId } = this.#context
    const api = this.#limited.api.as(playerCredentials(this.#context, caller))
    const stored = () => this.#kept.stored()
    return new PlayerLobbies(api, {
      cache: this.#cache,
      queues: this.#queues,
      applicationId: () => applicationId,
      stored,
    })
  }

  #callsOf(caller: Caller): LobbyCalls {
    const { requireOpen, service } = this.#context
    return {
      requireOpen,
      lobbies: this.#lobbiesOf(caller),
      inviteAddress: () => inviteAddress(this.#context),
      secretOf: (lobbyId) => (caller.isCurrent ? this.#cache.secretOf(lobbyId) : undefined),
      announce: (change) => this.#announce(caller, change),
      inviteUrl: (code) => `${service.host}/invite/${encodeURIComponent(code)}`,
      watch: (lobby, polling) => this.#watch(lobby, caller, polling),
      autoLeave: (lobbyId) => this.#autoLeave(lobbyId, caller),
      stopAutoLeave: (lobbyId) => this.#stopAutoLeave(lobbyId),
    }
  }

  /** A stream belongs to the player of this moment. */
  #announce(caller: Caller, change: OwnChange): void {
    if (caller.isCurrent) runCallback(() => this.#context.lobbyUpdates?.announce?.(change))
  }

  async join(caller: Caller, secret: string, options: JoinOptions & CallOptions): Promise<Lobby> {
    const state =
      this.#returned(caller, secret, options) ?? (await this.#lobbiesOf(caller).join(secret, options))
    this.#announce(caller, { lobbyId: state.id })
    return this.#live.of(state, caller.isCurrent ? 'unknown' : 'signed_out')
  }

  /** Brings back the lobbies that are kept beside the session of this player. Never rejects. */
  restore(caller: Caller): Promise<void> {
    return this.#returning.restore(caller)
  }

  /** The first join of a lobby that is back needs no request, unless it changes something. */
  #returned(caller: Caller, secret: string, options: JoinOptions & CallOptions): LobbyState | undefined {
    const { metadata, member, idleTimeout, signal } = options
    if (!caller.isCurrent || metadata || member || idleTimeout !== undefined || signal?.aborted)
      return undefined
    return this.#cache.get(this.#returning.take(secret) ?? '')
  }

  /** @throws ConfigurationError `invalid_argument`. @throws SessionError `signed_out`. */
  add(caller: Caller, body: unknown): Lobby {
    caller.requireCurrent()
    const state = toLobby(body)
    if (caller.userId === undefined) throw new SessionError('signed_out')
    if (!state?.members.some(({ id }) => id === caller.userId))
      throw new ConfigurationError('invalid_argument', 'lobby', { remedy: LOBBY_REMEDY })
    this.#cache.putOwn(state)
    return this.#live.of(state)
  }

  clearBlocks(caller: Caller): Promise<void> {
    return this.#limited.clearBlocks(caller.userId)
  }

  async #watch(lobby: WatchedLobby, caller: Caller, { interval, signal }: Polling): Promise<() => void> {
    const end = new AbortController()
    const stop = () => {
      this.#watchers.delete(end)
      end.abort()
    }
    end.signal.addEventListener('abort', listenToAbort(signal, stop))
    end.signal.addEventListener('abort', lobby.on('ended', stop))
    this.#watchers.add(end)
    const release = caller.onEnd(stop)
    // Each poll belongs to the session of its moment: watchers end with their player.
    const fetch: WatchContext['fetch'] = (limit, given) =>
      this.#lobbiesOf(this.#caller).messages(lobby.id, limit, { ...given, priority: 'low' })
    try {
      await watch({ clock: this.#context.clock, cache: this.#cache, fetch }, { interval, signal: end.signal })
    } catch (error) {
      stop()
      // The end of the player is the reason, not the abort that followed from it.
      caller.requireCurrent()
      throw error
    } finally {
      release()
    }
    return stop
  }

  async #autoLeave(lobbyId: string, caller: Caller): Promise<() => void> {
    const page = await this.#context.loadPage?.()
    caller.requireCurrent()
    this.#stopAutoLeave(lobbyId)
    const lobby = this.#live.get(lobbyId)
    const stop = page?.onPageHide(() => this.#leaveNow(lobbyId))
    const cancel = () => {
      stop?.()
      forget?.()
      this.#autoLeaves.delete(lobbyId)
      // None once the lobby has ended.
      const secret = this.#cache.secretOf(lobbyId)
      if (lobby && secret !== undefined) this.#kept.change(caller, lobby.id, secret)
    }
    const forget = lobby?.on('ended', cancel)
    this.#autoLeaves.set(lobbyId, cancel)
    // Now: a page that is being left cannot forget it any more.
    if (lobby) this.#kept.change(caller, lobby.id, undefined)
    await this.#kept.stored()
    return cancel
  }

  #stopAutoLeave(lobbyId: string): void {
    this.#autoLeaves.get(lobbyId)?.()
  }

  /** Nothing can be awaited while the page is hidden; `keepalive` lets the request outlive the tab. */
  #leaveNow(lobbyId: string): void {
    const { authState, service, fetch } = this.#context
    const { session } = authState
    if (!session) return
    const headers = { authorization: bearerOf(session.tokens) }
    const url = service.baseUrl + MEMBER.replace('{lobby.id}', lobbyId)
    void fetchUnfollowed(
      fetch,
      { url, route: `DELETE ${MEMBER}` },
      { method: 'DELETE', headers, keepalive: true },
    ).catch(() => undefined)
    // The page may be restored from the back/forward cache.
    this.#cache.drop(lobbyId, 'left')
  }

  /** Applies lobby updates to the cache, and ends watchers, streams and caches with the session. Each player has a stream of their own. */
  #connectUpdates(player: PlayerRequests | undefined): void {
    const { clock, log, lobbyUpdates, authState, closeSignal } = this.#context
    const cache = this.#cache
    const pulls = this.#pulls
    const receive = (update: LobbyUpdate) => {
      if (update.type === 'messagePending') pulls.pull(update.lobbyId, update.messageId)
      else cache.update(update, authState.session?.userId)
      this.#returning.received()
    }
    const subscribe = () => lobbyUpdates?.subscribe(receive, { clock, log, ...(player && { player }) })
    let unsubscribe = subscribe()
    const end = (reason: LobbyEndReason) => {
      for (const each of this.#watchers) each.abort()
      this.#watchers.clear()
      cache.clear(reason)
      this.#queues.clear()
      this.#returning.clear()
      pulls.clear()
    }
    authState.onUserChanged = () => {
      end('signed_out')
      unsubscribe?.()
      unsubscribe = authState.session ? subscribe() : undefined
    }
    closeSignal.addEventListener('abort', () => {
      unsubscribe?.()
      end('closed')
    })
  }
}

/** An Activity has a link of the service. */
function inviteAddress({
  launchQuery,
  service,
  applicationId,
  inviteAddress: own,
  page,
}: ClientContext): string | undefined {
  return parseLaunch(launchQuery)
    ? activityAddress(service.host, applicationId)
    : (own ?? page?.inviteAddress())
}
