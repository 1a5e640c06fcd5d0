/** A lobby that the player is in: live state, events, and the calls of its members. */
import {
  type CallOptions,
  requireRecord,
  checkOptions,
  bindMethods,
  withTypedErrors,
} from '../../shared/foundation/options'
import type { LobbyMessage, LobbyState, Metadata } from './lobby-state'
import { requireIds } from './validate-player-input'
import { createInviteLink, type InviteLinkOptions } from './invite-link'
import { LiveLobby } from './live-lobby'
import type { Caller } from '../session/caller'
import type { LinkedGuildInvite, LobbyCalls } from './lobby-calls'
import type { MetadataKeys } from './metadata-keys'

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
      this.#calls.requests(caller).messages(this.id, limit, { signal }),
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
    return this.#call(options, ['interval'], ({ interval = DEFAULT_INTERVAL }, { caller, signal }) =>
      this.#calls.watch(this, caller, { interval, signal }),
    )
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
      this.#calls.invite(caller, this.id, signal),
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

  /** Runs a public call for the player of this moment. @throws FoyerError. */
  #call<Options extends CallOptions, T>(
    options: Options | undefined,
    names: readonly (keyof Options & string)[],
    run: (options: Partial<Options>, call: Call) => Promise<T>,
  ): Promise<T> {
    const { caller } = this.#calls
    return withTypedErrors('lobby', async () => {
      requireRecord(options ?? {}, 'options')
      const given: Partial<Options> = checkOptions(options, [...names, 'signal'])
      this.#calls.requireOpen()
      this.requireOpen()
      return run(given, { signal: given.signal, caller })
    })
  }
}
