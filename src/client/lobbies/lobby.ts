/** A lobby that the player is in: live state, events, and the calls of its members, each for the player who called and with what follows from it. */
import {
  type CallOptions,
  checkOptions,
  bindMethods,
  withTypedErrors,
  runCallback,
  requireNumber,
} from '../../shared/foundation/options'
import type { LobbyMessage, LobbyState, Metadata, MetadataKeys } from './lobby-state'
import { requireIds, LobbyCallQueues, LobbyRequests, OWN_MEMBER } from './lobby-requests'
import {
  createInviteLink,
  type InviteLinkOptions,
  activityAddress,
  type InviteLinkParts,
} from './invite-link'
import { LiveLobby, type LobbyEvents } from './live-lobby'
import type { EventEmitter } from 'eventemitter3'
import { afterUnref } from '../../shared/foundation/clock'
import type { ListenerOptions } from '../../shared/foundation/emitter'
import type { Caller } from '../session/caller'
import { parseLaunch } from '../activity/activity-launch'
import { listenToAbort } from '../../shared/foundation/async'
import { fetchUnfollowed } from '../../shared/http/http-client'
import { bearerOf } from '../../shared/tokens/kept-token'
import { KeptLobbies } from './kept-lobbies'
import type { KeepSecret, LobbyCache } from './lobby-cache'
import type { PlayerCallsPort, ClientPort } from './client-port'
import type { OwnChange } from './lobby-updates'
import { watch, type WatchContext } from './new-messages'

/** Options of `Lobby.send`. */
export interface SendOptions extends CallOptions {
  /** Metadata of the message, for the game; all keys and values together have at most 1,000 characters. Default: none. */
  metadata?: Metadata | undefined
}

/** Options of `Lobby.fetchMessages`. */
export interface FetchMessagesOptions extends CallOptions {
  /** Maximum number of messages, 1 to 200. Default: 50. */
  limit?: number | undefined
}

/** Options of `Lobby.watch`. */
export interface WatchOptions extends CallOptions {
  /** Time in ms between two polls. Default: 5,000; minimum 1,000. */
  interval?: number | undefined
}

const DEFAULT_LIMIT = 50
const DEFAULT_INTERVAL = 5000
const NO_OPTIONS = [] as const
/** ms after which a lobby with a listener for messages should be watched. */
const WATCH_BEGINS = 5000
const UNWATCHED =
  'It has a listener for message: call lobby.watch(), or give the client lobbyUpdates. Without them only own messages come'

interface Call {
  signal: AbortSignal | undefined
  /** The player who called. */
  caller: Caller
}

/**
 * A lobby that the player is in, from `createOrJoinLobby` or `client.lobbies`. The same object until it ends: then its calls reject with
 * ApiError `unknown_lobby`, which names the reason.
 *
 * Every call may also reject with SessionError `signed_out`, ValidationError `invalid_argument` with all issues, RateLimitError
 * `rate_limited` if the wait would exceed `maxWait`, ApiError, NetworkError and ProtocolError.
 *
 * @example
 * ```ts
 * const lobby = await client.createOrJoinLobby('moon-42')
 * lobby.on('message', ({ message }) => show(message.author.username, message.content))
 * await lobby.send('Hello')
 * ```
 */
export class Lobby<Keys extends MetadataKeys = MetadataKeys> extends LiveLobby<Keys> {
  readonly #calls: LobbyCalls

  /** @internal Use `client.createOrJoinLobby`. */
  constructor(state: LobbyState, calls: LobbyCalls) {
    super(state)
    this.#calls = calls
    bindMethods(this)
  }

  /**
   * Sends a message to the lobby: 1 to 2,000 characters, at most 3,000 in 2 hours per player (docs/interface/rate-limits.md#limits). Never
   * sent twice.
   *
   * @throws ApiError `missing_access` if the player is not in the lobby; `unknown_lobby`.
   * @example
   * ```ts
   * await lobby.send('Ready!', { metadata: { round: '3' } })
   * ```
   */
  send(content: string, options?: SendOptions): Promise<LobbyMessage> {
    return this.#call(options, ['metadata'], ({ metadata }, { caller, signal }) =>
      this.#calls.send(caller, this.id, { content, metadata, signal }),
    )
  }

  /** Returns the newest messages of the last 72 hours, newest first. */
  fetchMessages(options?: FetchMessagesOptions): Promise<LobbyMessage[]> {
    return this.#call(options, ['limit'], ({ limit = DEFAULT_LIMIT }, { caller, signal }) =>
      this.#calls.requests(caller).fetchMessages(this.id, limit, { signal }),
    )
  }

  /**
   * Leaves the lobby. Succeeds if this player is not a member any more.
   *
   * @throws ApiError `made_by_server` for a lobby created by the game's backend, which alone can remove players from it (docs/interface/lobbies.md#backend-endpoints);
   * `unknown_lobby`.
   */
  async leave(options?: CallOptions): Promise<void> {
    if (this.endReason === 'left') return
    await this.#call(options, NO_OPTIONS, (_, { caller, signal }) =>
      this.#calls.leave(caller, this.id, signal),
    )
  }

  /**
   * Leaves the lobby when the tab is closed or navigates away. A tab that is killed or offline cannot: the player then stays in the lobby
   * until they join again and leave, or until the lobby ends.
   *
   * @returns a function that cancels this. `leave` cancels it too.
   */
  autoLeave(): Promise<() => void> {
    return this.#call(undefined, NO_OPTIONS, (_, { caller }) => this.#calls.autoLeave(this, caller))
  }

  /**
   * Polls for new messages every `interval` ms and emits `message` for each. Messages from before the first poll are not emitted. Each
   * refusal with 429 makes the interval longer, up to 30 s, and each success makes it shorter again. Continues through network failures;
   * ends with the returned function, with the signal, with the lobby, or when the service refuses the player.
   *
   * @returns a function that stops polling.
   */
  watch(options?: WatchOptions): Promise<() => void> {
    return this.#call(options, ['interval'], ({ interval = DEFAULT_INTERVAL }, { caller, signal }) => {
      requireNumber(interval, 'interval', { kind: 'ms', min: 1, example: '5000' })
      return this.#calls.watch(this, caller, { interval, signal })
    })
  }

  /**
   * Links the lobby to a text channel of a guild. Requires a member with `canLinkLobby`, and a lobby created by the game's backend.
   * `client.lobbies.fetchGuilds` and `fetchGuildChannels` list the channels to choose from.
   *
   * @throws ApiError `missing_permission`, `missing_access`, `unknown_channel`.
   */
  link(channelId: string, options?: CallOptions): Promise<void> {
    return this.#call(options, NO_OPTIONS, (_, { caller, signal }) => {
      // Without a channel, the service would remove the link.
      requireIds({ channelId })
      return this.#calls.link(caller, this.id, { channelId, signal })
    })
  }

  /** Removes the channel link of the lobby. */
  unlink(options?: CallOptions): Promise<void> {
    return this.#call(options, NO_OPTIONS, (_, { caller, signal }) =>
      this.#calls.link(caller, this.id, { channelId: undefined, signal }),
    )
  }

  /**
   * Creates an invitation to the guild whose channel the lobby is linked to (`POST /lobbies/<lobby_id>/members/@me/invites`): for this
   * player, once, within an hour. Open its address to join the guild.
   *
   * @throws ApiError `missing_access` for a provisional account, `invalid_body` for a lobby without a link, `unknown_lobby`.
   */
  createGuildInvite(options?: CallOptions): Promise<LinkedGuildInvite> {
    return this.#call(options, NO_OPTIONS, (_, { caller, signal }) =>
      this.#calls.createGuildInvite(caller, this.id, signal),
    )
  }

  /**
   * Returns a link that invites into this lobby: the page's address with `#join=<secret>`, in an Activity the link of the Activity, in
   * Electron one of the app's scheme. `client.takeInvitation` takes the secret there. Anyone with the link can join.
   *
   * @throws ConfigurationError `unsupported` if this client did not join the lobby by its secret, or has neither page nor scheme; `invalid_argument`
   * for a secret that no link can bring, and a `url` that is none. @throws ApiError `unknown_lobby` once the lobby has ended.
   * @example
   * ```ts
   * await navigator.share({ url: lobby.inviteLink() })
   * ```
   */
  inviteLink(options?: InviteLinkOptions): string {
    this.requireOpen()
    return createInviteLink(options, this.#calls.inviteLinkParts(this.id))
  }

  /** See `LiveLobby.on`. Messages of others need `watch` or `lobbyUpdates`: the log step `lobby.unwatched` says so if there is neither. */
  override on<Name extends keyof LobbyEvents>(
    event: Name,
    listener: EventEmitter.EventListener<LobbyEvents, Name>,
    options?: ListenerOptions,
  ): () => void {
    const off = super.on(event, listener, options)
    if (event === 'message') this.#calls.expectWatch(this)
    return off
  }

  /** Runs a public call for the player of this moment. @throws FoyerError. */
  #call<Options extends CallOptions, T>(
    options: Options | undefined,
    names: readonly (keyof Options & string)[],
    run: (options: Partial<Options>, call: Call) => Promise<T>,
  ): Promise<T> {
    const { caller } = this.#calls
    return withTypedErrors('lobby', async () => {
      const given: Partial<Options> = checkOptions(options, [...names, 'signal'])
      this.#calls.requireOpen()
      this.requireOpen()
      return run(given, { signal: given.signal, caller })
    })
  }
}

/** One-time invitation to the guild of a linked channel. */
export interface LinkedGuildInvite {
  /** Code of the invitation. */
  readonly code: string
  /** Address that the player opens to join, on `service.host` (_assumed_). */
  readonly url: string
}

interface Polling {
  /** ms. */
  interval: number
  signal: AbortSignal | undefined
}

export class LobbyCalls {
  readonly #client: ClientPort
  readonly #player: PlayerCallsPort
  readonly #cache: LobbyCache
  readonly #kept: KeptLobbies
  readonly #queues: LobbyCallQueues
  /** Cancel functions of `autoLeave` by lobby id. */
  readonly #autoLeaves = new Map<string, () => void>()
  readonly #watchers = new Set<AbortController>()
  /** Ids of lobbies that were watched, or whose listeners were told that they are not. */
  readonly #watched = new Set<string>()

  constructor(client: ClientPort, player: PlayerCallsPort, cache: LobbyCache) {
    this.#client = client
    this.#player = player
    this.#cache = cache
    this.#kept = new KeptLobbies(client)
    this.#queues = new LobbyCallQueues(client.options.clock)
  }

  /** The player of this moment, as the owner of the calls that begin now. */
  get caller(): Caller {
    return this.#client.authState.caller
  }

  /** @throws ConfigurationError `closed`. */
  requireOpen(): void {
    this.#client.requireOpen()
  }

  /** Requests with the token of the caller. */
  requests(caller: Caller): LobbyRequests {
    const { applicationId } = this.#client.options
    return new LobbyRequests(this.#player.as(caller), {
      cache: this.#cache,
      queues: this.#queues,
      applicationId: () => applicationId,
      stored: () => this.#kept.stored(),
    })
  }

  async send(
    caller: Caller,
    lobbyId: string,
    message: { content: string; metadata: Metadata | undefined; signal: AbortSignal | undefined },
  ): Promise<LobbyMessage> {
    const sent = await this.requests(caller).send(lobbyId, message)
    this.announce(caller, { lobbyId, messageId: sent.id })
    return sent
  }

  async leave(caller: Caller, lobbyId: string, signal: AbortSignal | undefined): Promise<void> {
    await this.requests(caller).leave(lobbyId, { signal })
    this.#autoLeaves.get(lobbyId)?.()
    this.announce(caller, { lobbyId })
  }

  async link(
    caller: Caller,
    lobbyId: string,
    { channelId, signal }: { channelId: string | undefined; signal: AbortSignal | undefined },
  ): Promise<void> {
    await this.requests(caller).link(lobbyId, channelId, { signal })
    this.announce(caller, { lobbyId })
  }

  async createGuildInvite(
    caller: Caller,
    lobbyId: string,
    signal: AbortSignal | undefined,
  ): Promise<LinkedGuildInvite> {
    const code = await this.requests(caller).createGuildInvite(lobbyId, { signal })
    return { code, url: `${this.#client.options.service.host}/invite/${encodeURIComponent(code)}` }
  }

  /** The secret is unknown for a lobby that was joined in another way, and once it has ended. An Activity has a link of the service. */
  inviteLinkParts(lobbyId: string): InviteLinkParts {
    const { launchQuery, service, applicationId, inviteAddress } = this.#client.options
    return {
      secret: this.caller.isCurrent ? this.#cache.secretOf(lobbyId) : undefined,
      address: parseLaunch(launchQuery)
        ? activityAddress(service.host, applicationId)
        : (inviteAddress ?? this.#player.page?.inviteAddress()),
    }
  }

  /** The game listens to messages, which a stream or `watch` brings. Says once for each lobby that there is neither. */
  expectWatch(lobby: Pick<LiveLobby, 'id' | 'on' | 'endReason'>): void {
    const { id } = lobby
    const { clock, lobbyUpdates } = this.#client.options
    if (lobbyUpdates || this.#watched.has(id) || lobby.endReason !== null) return
    const cancel = afterUnref(clock, WATCH_BEGINS, () => {
      forget()
      if (this.#watched.has(id)) return
      this.#watched.add(id)
      this.#client.log('warn', 'lobby.unwatched', { lobbyId: id, remedy: UNWATCHED })
    })
    const forget = lobby.on('ended', cancel)
  }

  /** Polls messages. Returns a function that ends it. */
  async watch(
    lobby: Pick<LiveLobby, 'id' | 'on'>,
    caller: Caller,
    { interval, signal }: Polling,
  ): Promise<() => void> {
    const end = new AbortController()
    this.#watched.add(lobby.id)
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
      this.requests(this.caller).fetchMessages(lobby.id, limit, { ...given, priority: 'low' })
    const { clock } = this.#client.options
    try {
      await watch({ clock, cache: this.#cache, fetch }, { interval, signal: end.signal })
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

  /** Leaves a lobby with the end of the tab. Returns a function that cancels it. */
  async autoLeave(lobby: Pick<LiveLobby, 'id' | 'on'>, caller: Caller): Promise<() => void> {
    const { id } = lobby
    const page = await this.#client.options.loadPage?.()
    caller.requireCurrent()
    this.#autoLeaves.get(id)?.()
    const isOpen = this.#cache.get(id) !== undefined
    const stop = page?.onPageHide(() => this.#leaveNow(id))
    const cancel = () => {
      stop?.()
      forget?.()
      this.#autoLeaves.delete(id)
      // None once the lobby has ended.
      const secret = this.#cache.secretOf(id)
      if (isOpen && secret !== undefined) this.#kept.change(caller, id, secret)
    }
    const forget = isOpen ? lobby.on('ended', cancel) : undefined
    this.#autoLeaves.set(id, cancel)
    // Now: a page that is being left cannot forget it any more.
    if (isOpen) this.#kept.change(caller, id, undefined)
    await this.#kept.stored()
    return cancel
  }

  /** Keeps the secret of a lobby beside the session, or forgets it without one. A reload leaves a lobby with `autoLeave`. */
  keep(...[id, secret]: Parameters<KeepSecret>): void {
    if (secret === undefined || !this.#autoLeaves.has(id)) this.#kept.change(this.caller, id, secret)
  }

  /** Tells the stream of updates, which belongs to the player of this moment. */
  announce(caller: Caller, change: OwnChange): void {
    if (caller.isCurrent) runCallback(() => this.#client.options.lobbyUpdates?.announce?.(change))
  }

  /** Ends what belongs to the player of before. */
  end(): void {
    for (const each of this.#watchers) each.abort()
    this.#watchers.clear()
  }

  /** Lets calls of the next player begin at once. */
  clearQueues(): void {
    this.#queues.clear()
  }

  /** Nothing can be awaited while the page is hidden; `keepalive` lets the request outlive the tab. */
  #leaveNow(lobbyId: string): void {
    const { authState, options } = this.#client
    const { session } = authState
    if (!session) return
    const headers = { authorization: bearerOf(session.tokens) }
    const url = options.service.baseUrl + OWN_MEMBER.replace('{lobby.id}', lobbyId)
    void fetchUnfollowed(
      options.fetch,
      { url, route: `DELETE ${OWN_MEMBER}` },
      { method: 'DELETE', headers, keepalive: true },
    ).catch(() => undefined)
    // The page may be restored from the back/forward cache.
    this.#cache.drop(lobbyId, 'left')
  }
}
