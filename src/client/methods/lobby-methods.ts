/** Lobby methods of the signed-in player. */
import { runCallback } from '../../foundation/run-callback'
import { listenToAbort } from '../../foundation/abort-group'
import { requireRecord } from '../../foundation/require-record'
import type { LobbyUpdate, OwnChange, PlayerRequests } from '../../lobbies/lobby-updates'
import type { Lobby, LobbyMessage, Metadata } from '../../lobbies/lobby'
import { LobbyCache } from '../../lobbies/lobby-cache'
import { LobbyCallQueues } from '../../lobbies/lobby-call-queue'
import { watch, type WatchContext } from '../../lobbies/poll-messages'
import { MessagePulls } from '../../lobbies/message-pulls'
import { requireIds, type JoinOptions } from '../../lobbies/validate-player-input'
import { type CallOptions, type LinkedGuildInvite, MEMBER, PlayerLobbies } from '../../lobbies/player-lobbies'
import type { Caller } from '../context/caller'
import type { ClientContext } from '../context/client-context'
import { openUserApi, playerCredentials } from '../context/create-user-api'

/**
 * Every method may reject with SessionError `signed_out`, ValidationError `invalid_argument` with all issues, RateLimitError `rate_limited`
 * if the wait would exceed `maxWait`, ApiError, NetworkError and ProtocolError.
 */
export interface LobbyMethods {
  /**
   * Joins the lobby with this secret, or creates it (`PUT /lobbies`). Limit: 10 calls in 60 seconds per player
   * (docs/interface/rate-limits.md#limits). Anyone with the secret can join. Joining again returns the current lobby; metadata in the
   * options replaces the previous metadata.
   *
   * Joins and leaves of one lobby are sent one at a time, in call order. A join that waits while an identical one completes sends no
   * request. A `leaveLobby` called right after a response overtakes waiting joins: a component that is mounted, unmounted and mounted again
   * ends up in the lobby.
   *
   * @example
   * ```ts
   * const lobby = await client.createOrJoinLobby('party-4711', { memberMetadata: { role: 'healer' } })
   * await client.sendLobbyMessage(lobby.id, 'Hello')
   * ```
   */
  createOrJoinLobby(secret: string, options?: JoinOptions & CallOptions): Promise<Lobby>
  /** Like `createOrJoinLobby`, with metadata of the lobby and of the player. Both replace the previous metadata. */
  createOrJoinLobbyWithMetadata(secret: string, lobbyMetadata: Metadata, memberMetadata: Metadata, options?: CallOptions): Promise<Lobby>
  /**
   * Leaves a lobby. Succeeds if the player is not a member any more.
   *
   * @throws ApiError `made_by_server` for a lobby created by the game's backend, which alone can remove players from it (docs/interface/lobbies.md#backend-endpoints);
   * `unknown_lobby`.
   */
  leaveLobby(lobbyId: string, options?: CallOptions): Promise<void>
  /**
   * Sends a message to the lobby: 1 to 2,000 characters, at most 3,000 in 2 hours per player (docs/interface/rate-limits.md#limits). Never
   * sent twice.
   *
   * @throws ApiError `missing_access` if the player is not in the lobby; `unknown_lobby`.
   */
  sendLobbyMessage(lobbyId: string, content: string, metadata?: Metadata, options?: CallOptions): Promise<LobbyMessage>
  /** Returns the newest messages of the last 72 hours, newest first. `limit`: 1 to 200. */
  getLobbyMessagesWithLimit(lobbyId: string, limit: number, options?: CallOptions): Promise<LobbyMessage[]>
  /**
   * Links a lobby to a text channel of a guild. Requires a member with `canLinkLobby`, and a lobby created by the game's backend.
   * `getUserGuilds` and `getGuildChannels` list the channels to choose from.
   *
   * @throws ApiError `missing_permission`, `missing_access`, `unknown_channel`.
   */
  linkChannelToLobby(lobbyId: string, channelId: string, options?: CallOptions): Promise<Lobby>
  /** Removes the channel link of a lobby. */
  unlinkChannelFromLobby(lobbyId: string, options?: CallOptions): Promise<Lobby>
  /**
   * Creates an invitation to the guild whose channel the lobby is linked to (`POST /lobbies/<lobby_id>/members/@me/invites`): for this
   * player, once, within an hour. Open its address to join the guild.
   *
   * @throws ApiError `missing_access` for a provisional account, `invalid_body` for a lobby without a link, `unknown_lobby`.
   */
  joinLinkedLobbyGuild(lobbyId: string, options?: CallOptions): Promise<LinkedGuildInvite>
  /**
   * Polls for new messages every `interval` ms (default 5,000, minimum 1,000) and emits `lobbyMessage` for each. Messages from before the
   * first poll are not emitted. Each refusal with 429 makes the interval longer, up to 30 s, and each success makes it shorter again. Continues through network failures; ends with the returned function, with the session, or when the service
   * refuses the player.
   *
   * @returns a function that stops polling.
   */
  watchLobby(lobbyId: string, options?: { interval?: number | undefined } & CallOptions): Promise<() => void>
  /**
   * Leaves the lobby when the tab is closed or navigates away. A tab that is killed or offline cannot: the player then stays in the lobby
   * until they join again and leave, or until the lobby ends.
   *
   * @returns a function that cancels this. `leaveLobby` cancels it too.
   */
  autoLeave(lobbyId: string): Promise<() => void>
  /**
   * Removes every block caused by a refusal of the service, in all tabs; for a retry button. Sent requests stay counted, and a single
   * request is sent first as a probe.
   */
  clearRateLimitBlocks(): Promise<void>
}

export async function createLobbyMethods(context: ClientContext): Promise<(caller: Caller) => LobbyMethods> {
  const limited = await openUserApi(context)
  const { api } = limited
  const { emit, lobbyUpdates } = context
  const cache = new LobbyCache(context.lobbies, {
    lobbyCreated: (event) => emit('lobbyCreated', event),
    lobbyUpdated: (event) => emit('lobbyUpdated', event),
    lobbyDeleted: (event) => emit('lobbyDeleted', event),
    lobbyMessage: (event) => emit('lobbyMessage', event),
  })
  const queues = new LobbyCallQueues(context.clock)
  const options = { cache, queues, applicationId: () => context.applicationId }
  const lobbiesOf = (caller: Caller) => new PlayerLobbies(api.as(playerCredentials(context, caller)), options)
  const shared: LobbyMethodContext = { context, cache, queues, lobbiesOf, autoLeaves: new Map(), watchers: new Set() }
  connectUpdates(shared, lobbyUpdates && (await context.playerRequests()))
  return (caller) => ({
    ...createMemberCalls(shared, caller),
    ...createWatchCalls(shared, caller),
    clearRateLimitBlocks: () => limited.clearBlocks(caller.userId),
  })
}

interface LobbyMethodContext {
  context: ClientContext
  cache: LobbyCache
  queues: LobbyCallQueues
  /** Lobbies with the token of one session. */
  lobbiesOf: (caller: Caller) => PlayerLobbies
  /** Cancel functions of `autoLeave` by lobby id. */
  autoLeaves: Map<string, () => void>
  watchers: Set<AbortController>
}

function createMemberCalls({ context, lobbiesOf, autoLeaves }: LobbyMethodContext, caller: Caller) {
  const lobbies = lobbiesOf(caller)
  // A stream belongs to the player of this moment.
  const announce = (change: OwnChange) => caller.isCurrent && runCallback(() => context.lobbyUpdates?.announce?.(change))
  const announced = async (call: Promise<Lobby>): Promise<Lobby> => {
    const lobby = await call
    announce({ lobbyId: lobby.id })
    return lobby
  }
  return {
    createOrJoinLobby: (secret: string, options?: JoinOptions & CallOptions) => announced(lobbies.join(secret, { ...options })),
    // oxlint-disable-next-line max-params -- the service's reference fixes these parameters
    createOrJoinLobbyWithMetadata(secret: string, lobbyMetadata: Metadata, memberMetadata: Metadata, options?: CallOptions) {
      return announced(lobbies.join(secret, { lobbyMetadata, memberMetadata, ...options }))
    },
    async leaveLobby(lobbyId: string, given?: CallOptions) {
      await lobbies.leave(lobbyId, { ...given })
      autoLeaves.get(lobbyId)?.()
      announce({ lobbyId })
    },
    // oxlint-disable-next-line max-params -- the service's reference fixes these parameters
    async sendLobbyMessage(lobbyId: string, content: string, metadata?: Metadata, options?: CallOptions) {
      const message = await lobbies.write(lobbyId, { content, metadata: metadata ?? undefined }, { ...options })
      announce({ lobbyId, messageId: message.id })
      return message
    },
    getLobbyMessagesWithLimit: (lobbyId: string, limit: number, options?: CallOptions) => lobbies.messages(lobbyId, limit, { ...options }),
    async linkChannelToLobby(lobbyId: string, channelId: string, options?: CallOptions) {
      // Without a channel, the service would remove the link.
      requireIds({ lobbyId, channelId })
      return announced(lobbies.link(lobbyId, channelId, { ...options }))
    },
    unlinkChannelFromLobby: (lobbyId: string, options?: CallOptions) => announced(lobbies.link(lobbyId, undefined, { ...options })),
    async joinLinkedLobbyGuild(lobbyId: string, options?: CallOptions) {
      const code = await lobbies.invite(lobbyId, { ...options })
      return { code, url: `${context.service.host}/invite/${encodeURIComponent(code)}` }
    },
  }
}

function createWatchCalls(shared: LobbyMethodContext, caller: Caller) {
  const { context, cache, lobbiesOf, autoLeaves, watchers } = shared
  return {
    async watchLobby(lobbyId: string, options?: { interval?: number | undefined } & CallOptions) {
      requireRecord(options ?? {}, 'options')
      const { interval = 5000, signal } = { ...options }
      const end = new AbortController()
      const stop = () => {
        watchers.delete(end)
        end.abort()
      }
      end.signal.addEventListener('abort', listenToAbort(signal, stop))
      watchers.add(end)
      const release = caller.onEnd(stop)
      // Each poll belongs to the session of its moment: watchers end with their player.
      const fetch: WatchContext['fetch'] = (limit, given) =>
        lobbiesOf(context.authState.caller).messages(lobbyId, limit, { ...given, priority: 'low' })
      try {
        await watch({ clock: context.clock, cache, fetch }, { interval, signal: end.signal })
      } catch (error) {
        stop()
        // The end of the player is the reason, not the abort that followed from it.
        caller.requireCurrent()
        throw error
      } finally {
        release()
      }
      return stop
    },
    async autoLeave(lobbyId: string) {
      requireIds({ lobbyId })
      const page = await context.loadPage?.()
      caller.requireCurrent()
      autoLeaves.get(lobbyId)?.()
      const cancel = page?.onPageHide(() => leaveNow(shared, lobbyId)) ?? (() => undefined)
      autoLeaves.set(lobbyId, cancel)
      return cancel
    },
  }
}

/** Nothing can be awaited while the page is hidden; `keepalive` lets the request outlive the tab. */
function leaveNow({ context, cache }: LobbyMethodContext, lobbyId: string): void {
  const { authState, service, fetch } = context
  const token = authState.session?.tokens.accessToken.reveal()
  if (!token) return
  const headers = { authorization: `Bearer ${token}` }
  const url = service.baseUrl + MEMBER.replace('{lobby.id}', lobbyId)
  void fetch(url, { method: 'DELETE', headers, keepalive: true, credentials: 'omit', redirect: 'error' }).catch(() => undefined)
  // The page may be restored from the back/forward cache.
  cache.drop(lobbyId)
}

/** Applies lobby updates to the cache, and ends watchers, streams and caches with the session. Each player has a stream of their own. */
function connectUpdates({ context, cache, queues, lobbiesOf, autoLeaves, watchers }: LobbyMethodContext, player?: PlayerRequests): void {
  const { clock, log, lobbyUpdates, authState, closeSignal } = context
  const pulls = new MessagePulls({ cache, fetch: (lobbyId, limit) => lobbiesOf(authState.caller).messages(lobbyId, limit, {}) })
  const receive = (update: LobbyUpdate) => {
    if (update.type === 'messagePending') pulls.pull(update.lobbyId, update.messageId)
    else cache.update(update, authState.session?.userId)
  }
  const subscribe = () => lobbyUpdates?.subscribe(receive, { clock, log, ...(player && { player }) })
  let unsubscribe = subscribe()
  const end = () => {
    for (const each of watchers) each.abort()
    watchers.clear()
    for (const cancel of autoLeaves.values()) cancel()
    autoLeaves.clear()
    cache.clear()
    queues.clear()
    pulls.clear()
  }
  authState.onUserChanged = () => {
    end()
    unsubscribe?.()
    unsubscribe = authState.session ? subscribe() : undefined
  }
  closeSignal.addEventListener('abort', () => {
    unsubscribe?.()
    end()
  })
}
