/** The calls of the player's lobbies: each for the player who called, and with what follows from it. */
import { parseLaunch } from '../activity/activity-launch'
import type { Caller } from '../session/caller'
import { listenToAbort } from '../../shared/foundation/async'
import { runCallback } from '../../shared/foundation/options'
import { fetchUnfollowed } from '../../shared/http/fetch-unfollowed'
import { bearerOf } from '../../shared/tokens/kept-token'
import { activityAddress, type InviteLinkParts } from './invite-link'
import { KeptLobbies } from './kept-lobbies'
import type { LiveLobby } from './live-lobby'
import type { KeepSecret, LobbyCache } from './lobby-cache'
import type { LobbyApi, LobbyClient } from './lobby-client'
import { LobbyCallQueues } from './lobby-call-queue'
import { LobbyRequests, MEMBER } from './lobby-requests'
import type { LobbyMessage, Metadata } from './lobby-state'
import type { OwnChange } from './lobby-updates'
import { watch, type WatchContext } from './poll-messages'

/** One-time invitation to the guild of a linked channel. */
export interface LinkedGuildInvite {
  /** Code of the invitation. */
  readonly code: string
  /** Address that the player opens to join, on `service.host` (_assumed_). */
  readonly url: string
}

export interface Polling {
  /** ms. */
  interval: number
  signal: AbortSignal | undefined
}

export class LobbyCalls {
  readonly #client: LobbyClient
  readonly #api: LobbyApi
  readonly #cache: LobbyCache
  readonly #kept: KeptLobbies
  readonly #queues: LobbyCallQueues
  /** Cancel functions of `autoLeave` by lobby id. */
  readonly #autoLeaves = new Map<string, () => void>()
  readonly #watchers = new Set<AbortController>()

  constructor(client: LobbyClient, api: LobbyApi, cache: LobbyCache) {
    this.#client = client
    this.#api = api
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
    return new LobbyRequests(this.#api.as(caller), {
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
    const sent = await this.requests(caller).write(lobbyId, message)
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

  async invite(caller: Caller, lobbyId: string, signal: AbortSignal | undefined): Promise<LinkedGuildInvite> {
    const code = await this.requests(caller).invite(lobbyId, { signal })
    return { code, url: `${this.#client.options.service.host}/invite/${encodeURIComponent(code)}` }
  }

  /** The secret is unknown for a lobby that was joined in another way, and once it has ended. An Activity has a link of the service. */
  inviteLinkParts(lobbyId: string): InviteLinkParts {
    const { launchQuery, service, applicationId, inviteAddress } = this.#client.options
    return {
      secret: this.caller.isCurrent ? this.#cache.secretOf(lobbyId) : undefined,
      address: parseLaunch(launchQuery)
        ? activityAddress(service.host, applicationId)
        : (inviteAddress ?? this.#api.page?.inviteAddress()),
    }
  }

  /** Polls messages. Returns a function that ends it. */
  async watch(
    lobby: Pick<LiveLobby, 'id' | 'on'>,
    caller: Caller,
    { interval, signal }: Polling,
  ): Promise<() => void> {
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
      this.requests(this.caller).messages(lobby.id, limit, { ...given, priority: 'low' })
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
    const url = options.service.baseUrl + MEMBER.replace('{lobby.id}', lobbyId)
    void fetchUnfollowed(
      options.fetch,
      { url, route: `DELETE ${MEMBER}` },
      { method: 'DELETE', headers, keepalive: true },
    ).catch(() => undefined)
    // The page may be restored from the back/forward cache.
    this.#cache.drop(lobbyId, 'left')
  }
}
