/** Lobbies, for the signed-in player: joined, left, written in, watched. */
import { memoizedImport } from '../../foundation/lazy'
import type { Lobby, LobbyMessage, Metadata } from '../../lobbies/lobby'
import { LobbyCache } from '../../lobbies/lobby-cache'
import { LobbyCallQueues } from '../../lobbies/lobby-call-queue'
import { watch } from '../../lobbies/lobby-watch'
import { requireIds, type JoinOptions } from '../../lobbies/validate-player-input'
import { type CallOptions, MEMBER, PlayerLobbies } from '../../lobbies/player-lobbies'
import type { ClientContext } from '../context'
import { openUserApi } from '../user-api'

/**
 * What every one of these may reject with: SessionError `signed_out`, ValidationError `invalid_argument` with all issues, RateLimitError
 * `rate_limited` when the wait would be longer than `maxWait`, ApiError, NetworkError, ProtocolError.
 */
export interface LobbyMethods {
  /**
   * Joins the lobby of a secret, or makes it (`PUT /lobbies`): 10 times in 60 seconds for each player (S:369). Whoever has the secret gets
   * in. Joining again resolves with the lobby as it is now; metadata that is given replaces what was there.
   *
   * Joins and leaves of one lobby are sent one at a time, in the order of the calls; a join that waits while the same one is answered sends
   * nothing. A `leaveLobby` that follows the answer at once goes before the joins that wait: a component that is mounted, unmounted and
   * mounted again ends in the lobby.
   */
  createOrJoinLobby(secret: string, options?: JoinOptions & CallOptions): Promise<Lobby>
  /** The same, with the metadata of the lobby and of the player in it; both replace what was there. */
  createOrJoinLobbyWithMetadata(
    secret: string,
    ...metadata: [lobbyMetadata: Metadata, memberMetadata: Metadata, options?: CallOptions]
  ): Promise<Lobby>
  /**
   * Leaves a lobby. Who is not in it any more has left it.
   * @throws ApiError `made_by_server` for a lobby that the game's backend made, and that only the backend ends or removes players from
   * (S:261); `unknown_lobby`.
   */
  leaveLobby(lobbyId: string, options?: CallOptions): Promise<void>
  /**
   * Writes to everybody in the lobby: 1 to 2,000 characters, 3,000 times in 2 hours for each player (S:368). Never sent twice.
   * @throws ApiError `missing_access` when the player is not in the lobby; `unknown_lobby`.
   */
  sendLobbyMessage(lobbyId: string, ...message: [content: string, metadata?: Metadata, options?: CallOptions]): Promise<LobbyMessage>
  /** The newest messages of the last 72 hours, newest first; 1 to 200. */
  getLobbyMessagesWithLimit(lobbyId: string, limit: number, options?: CallOptions): Promise<LobbyMessage[]>
  /**
   * Links a lobby to a text channel of a guild. Only a member with `canLinkLobby` may, and only a lobby that the game's backend made.
   * @throws ApiError `missing_permission`, `missing_access`, `unknown_channel`.
   */
  linkChannelToLobby(lobbyId: string, channelId: string, options?: CallOptions): Promise<Lobby>
  /** Takes the link away again. */
  unlinkChannelFromLobby(lobbyId: string, options?: CallOptions): Promise<Lobby>
  /**
   * Looks for new messages every `interval` ms (default 5,000, at the least 1,000) and tells each by `lobbyMessage`; those of before the
   * first look are history, and are not told. It goes on through a bad network, and ends with its undo, with the session, and when the
   * service refuses the player.
   * @returns what ends it.
   */
  watchLobby(lobbyId: string, options?: { interval?: number } & CallOptions): Promise<() => void>
  /**
   * Leaves the lobby when the tab is closed or leaves the page. A tab that is killed, or loses its network, cannot: the player then stays in
   * the lobby until they join again and leave, or the lobby ends by itself.
   * @returns what calls it off. `leaveLobby` does so too.
   */
  autoLeave(lobbyId: string): Promise<() => void>
  /**
   * Ends every block that a refusal by the service has caused, in all tabs: for a button that tries again at once. What was sent stays
   * counted, and one request tries first.
   */
  clearRateLimitBlocks(): Promise<void>
}

export async function createLobbyMethods(context: ClientContext) {
  const limited = await openUserApi(context)
  const { api } = limited
  const { emit } = context
  const cache = new LobbyCache(context.lobbies, {
    lobbyCreated: (event) => emit('lobbyCreated', event),
    lobbyUpdated: (event) => emit('lobbyUpdated', event),
    lobbyDeleted: (event) => emit('lobbyDeleted', event),
    lobbyMessage: (event) => emit('lobbyMessage', event),
  })
  const lines = new LobbyCallQueues(context.clock)
  const lobbies = new PlayerLobbies(api, cache, lines)
  const room: LobbyMethodContext = { context, cache, lines, lobbies, undo: new Map(), watching: new Set() }
  follow(room)
  return { ...createMemberCalls(room), ...createWatchCalls(room), clearRateLimitBlocks: () => limited.clearBlocks() }
}

interface LobbyMethodContext {
  context: ClientContext
  cache: LobbyCache
  lines: LobbyCallQueues
  lobbies: PlayerLobbies
  /** What `autoLeave` listens for, by lobby. */
  undo: Map<string, () => void>
  watching: Set<AbortController>
}

function createMemberCalls({ lobbies, undo }: LobbyMethodContext) {
  return {
    createOrJoinLobby: (secret: string, options?: JoinOptions & CallOptions) => lobbies.join(secret, { ...options }),
    createOrJoinLobbyWithMetadata(secret: string, ...metadata: [lobbyMetadata: Metadata, memberMetadata: Metadata, options?: CallOptions]) {
      const [lobbyMetadata, memberMetadata, options] = metadata
      return lobbies.join(secret, { lobbyMetadata, memberMetadata, ...options })
    },
    async leaveLobby(lobbyId: string, given?: CallOptions) {
      const options = { ...given }
      await lobbies.leave(lobbyId, options)
      undo.get(lobbyId)?.()
    },
    sendLobbyMessage(lobbyId: string, ...message: [content: string, metadata?: Metadata, options?: CallOptions]) {
      const [content, metadata, options] = message
      return lobbies.write(lobbyId, { content, metadata: metadata ?? undefined }, { ...options })
    },
    getLobbyMessagesWithLimit: (lobbyId: string, limit: number, options?: CallOptions) => lobbies.messages(lobbyId, limit, { ...options }),
    linkChannelToLobby: (lobbyId: string, channelId: string, options?: CallOptions) => lobbies.link(lobbyId, channelId, { ...options }),
    unlinkChannelFromLobby: (lobbyId: string, options?: CallOptions) => lobbies.link(lobbyId, undefined, { ...options }),
  }
}

function createWatchCalls(room: LobbyMethodContext) {
  const { context, cache, lobbies, undo, watching } = room
  return {
    async watchLobby(lobbyId: string, options?: { interval?: number } & CallOptions) {
      const { interval = 5000, signal } = { ...options }
      const end = new AbortController()
      const stop = () => {
        watching.delete(end)
        end.abort()
      }
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop, { signal: end.signal })
      watching.add(end)
      const fetch = (limit: number, until: AbortSignal) => lobbies.messages(lobbyId, limit, { signal: until, priority: 'low' })
      try {
        await watch({ clock: context.clock, cache, fetch }, { interval, signal: end.signal })
      } catch (error) {
        stop()
        throw error
      }
      return stop
    },
    async autoLeave(lobbyId: string) {
      requireIds({ lobbyId })
      const page = await memoizedImport(async () => context.loadPage?.())()
      undo.get(lobbyId)?.()
      const forget = page?.onLeave(() => leaveNow(room, lobbyId)) ?? (() => undefined)
      undo.set(lobbyId, forget)
      return forget
    },
  }
}

/** In the tab's last moment nothing may be awaited; `keepalive` lets the request outlive the tab. */
function leaveNow({ context, cache }: LobbyMethodContext, lobbyId: string): void {
  const { authState, service, fetch } = context
  const token = authState.session?.tokens.accessToken.reveal()
  if (!token) return
  const headers = { authorization: `Bearer ${token}` }
  const url = service.baseUrl + MEMBER.replace('{lobby.id}', lobbyId)
  void fetch(url, { method: 'DELETE', headers, keepalive: true, credentials: 'omit', redirect: 'error' }).catch(() => undefined)
  // The page may come back from the back/forward cache.
  cache.drop(lobbyId)
}

/** What goes on by itself: a stream's news, and the end of a session. */
function follow({ context, cache, lines, undo, watching }: LobbyMethodContext): void {
  const { lobbyUpdates, authState, closeSignal } = context
  const unsubscribe = lobbyUpdates?.subscribe((update) => cache.update(update, authState.session?.userId), context)
  const end = () => {
    for (const each of watching) each.abort()
    watching.clear()
    for (const forget of undo.values()) forget()
    undo.clear()
    cache.clear()
    lines.clear()
  }
  authState.onUserChanged = end
  closeSignal.addEventListener('abort', () => {
    unsubscribe?.()
    end()
  })
}
