/** Client with everything that needs no environment: lobbies, Activities, accounts and the backend, beside the sign-in. */
import type { CallOptions } from '../shared/foundation/options'
import type { Secret } from '../shared/foundation/secret'
import type { JoinOptions } from './lobbies/lobby-requests'
import type { RateLimitUsage } from '../shared/rate-limit/limiter-events'
import type { Session } from './session/session'
import { SignInClient, type ClientContext, type ClientParts } from './sign-in/sign-in-client'
import type { Invitation } from './lobbies/invitation'
import { loadTokenCalls } from './context/capabilities'
import { PlayerParts } from './groups/player-parts'
import type { GivenTokens } from './session/token-store'
import { Accounts } from './groups/accounts'
import { Activity } from './groups/activity'
import { Backend } from './groups/backend'
import type { Desktop } from './desktop/desktop'
import { Lobbies } from './groups/lobbies'
import type { Lobby } from './lobbies/lobby'
import type { Keyed, KeysOf, MetadataKeys } from './lobbies/lobby-state'
import type { GuildMember, PlayerPurchase } from './groups/player-reads'
import type { CurrentUser, CurrentUserOptions } from './groups/player-calls'

/** Options of `createOrJoinLobby`. */
export type LobbyOptions<Keys extends MetadataKeys = MetadataKeys> = Omit<
  JoinOptions,
  'metadata' | 'member'
> &
  CallOptions & {
    /** Replaces the lobby's metadata, also of an existing lobby. Default: unchanged. */
    metadata?: Keyed<KeysOf<Keys, 'lobby'>> | undefined
    /** Replaces the player's own metadata in the lobby. Default: unchanged. */
    member?: Keyed<KeysOf<Keys, 'member'>> | undefined
  }

/** Client without environment services; `Client` and `MainClient` extend it. */
export class CoreClient<Keys extends MetadataKeys = MetadataKeys> extends SignInClient {
  /** Lobbies that the player is in. */
  readonly lobbies: Lobbies<Keys>
  /** The Activity that this page runs in. */
  readonly activity: Activity
  /** The game's own backend. */
  readonly backend: Backend
  /** Devices, provisional accounts and child applications. */
  readonly accounts: Accounts
  /** The service's program on this computer. Null in a page, and in Electron without the option `localProgram` of `createMainClient`. */
  readonly desktop: Desktop | null = null
  readonly #context: ClientContext
  readonly #player: PlayerParts

  /** @param take receives what the calls of a subclass need. */
  constructor(given: ClientParts, take?: (context: ClientContext, player: PlayerParts) => void) {
    let context: ClientContext | undefined
    super(given, (taken) => (context = taken))
    if (!context) throw new TypeError('a client without its parts')
    this.#context = context
    const answers = {}
    this.#player = new PlayerParts(context, answers)
    this.lobbies = new Lobbies<Keys>(context, this.#player)
    this.activity = new Activity(context, this.#player)
    this.accounts = new Accounts(context)
    this.backend = new Backend({ context, answers })
    take?.(context, this.#player)
  }

  /** Current usage of every rate limit, for example for a display. Empty before the first rate-limited call. */
  get rateLimits(): RateLimitUsage[] {
    return this.#player.openedCalls?.usage ?? []
  }

  /**
   * Joins the lobby with this secret, or creates it (`PUT /lobbies`). Limit: 10 calls in 60 seconds per player
   * (docs/interface/rate-limits.md#limits). Anyone with the secret can join. Joining again returns the same object; metadata in the options
   * replaces the previous metadata.
   *
   * Joins and leaves of one lobby are sent one at a time, in call order. A join that waits while an identical one completes sends no
   * request. A `leave` called right after a response overtakes waiting joins: a component that is mounted, unmounted and mounted again ends
   * up in the lobby.
   *
   * @throws SessionError `signed_out`. @throws ValidationError `invalid_argument` with all issues. @throws RateLimitError `rate_limited` if
   * the wait would exceed `maxWait`. @throws ApiError, NetworkError, ProtocolError.
   * @example
   * ```ts
   * const lobby = await client.createOrJoinLobby('party-4711', { member: { role: 'healer' } })
   * await lobby.send('Hello')
   * ```
   */
  createOrJoinLobby(secret: string, options?: LobbyOptions<Keys>): Promise<Lobby<Keys>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the game names its keys; every value is checked before it is sent.
    const given = options as (JoinOptions & CallOptions) | undefined
    return this.#context.call('lobbies', [secret, given], (...call) => this.#player.join(...call))
  }

  /** See `SignInClient.resume`: the player's lobbies come back too. */
  override async resume(): Promise<Session | null> {
    const session = await super.resume()
    if (session) await this.#player.restore()
    return session
  }

  /**
   * Takes the invitation of the link that has opened the game, once: `#join=<secret>` (`lobby.inviteLink`), `/_<brand>/join?secret=<secret>`,
   * which the service opens, the link of an Activity, or in Electron a deep link. Its part of the address bar is removed, and nothing else.
   * Null without an invitation, and for a secret that is not 1 to 250 printable characters without `<` and `>`. Needs no session.
   *
   * An invitation that was taken before a sign-in by redirect can be taken again after the return, and after a reload in the same tab until
   * the player has joined a lobby. The game decides whether to join: the
   * link may come from anybody.
   *
   * @example
   * ```ts
   * const invitation = client.takeInvitation()
   * await client.resume()
   * if (invitation && client.session) await client.createOrJoinLobby(invitation.secret)
   * ```
   */
  takeInvitation(): Invitation | null {
    const secret = this.#context.options.takeInvitation?.(this.owner)
    if (secret === undefined) return null
    this.#context.invitation = secret
    return { secret }
  }

  /**
   * Reads the user of an access token (`GET /users/@me`), and thereby checks that the token is still accepted. Default: the session's
   * token, whose names the session keeps.
   *
   * @throws SessionError `signed_out`. @throws ApiError, with status 401 for a rejected token. @throws NetworkError.
   * @throws ProtocolError `malformed_response`.
   */
  fetchCurrentUser(options?: CurrentUserOptions): Promise<CurrentUser> {
    return this.#context.call('user', [options], async (...call) =>
      (await this.#player.calls()).fetchCurrentUser(...call),
    )
  }

  /**
   * Reads the player's membership in a guild: roles and name there. Requires the scope `guilds.members.read`.
   *
   * @throws SessionError `signed_out`. @throws ValidationError `invalid_argument`. @throws ApiError: 403 without the scope, 404 for a guild of
   * others. @throws NetworkError, RateLimitError, ProtocolError.
   */
  fetchGuildMember(guildId: string, options?: CallOptions): Promise<GuildMember> {
    return this.#context.call('user', [guildId, options], async (...call) =>
      (await this.#player.calls()).fetchGuildMember(...call),
    )
  }

  /**
   * Lists what the player has bought of the game, the oldest first: for a page that shows it, also outside an Activity. A player can change the
   * page, so a backend asks the service itself (docs/purchases.md). Reads page after page until there are no more.
   *
   * @throws SessionError `signed_out`. @throws ApiError, NetworkError, RateLimitError, ProtocolError.
   */
  fetchPurchases(options?: CallOptions): Promise<readonly PlayerPurchase[]> {
    return this.#context.call('user', [options], async (...call) =>
      (await this.#player.calls()).fetchPurchases(...call),
    )
  }

  /**
   * Removes every block caused by a refusal of the service, in all tabs; for a retry button. Sent requests stay counted, and a single
   * request is sent first as a probe.
   */
  clearRateLimitBlocks(): Promise<void> {
    return this.#context.call('lobbies', [], async (caller) =>
      (await this.#player.calls()).clearBlocks(caller),
    )
  }

  /**
   * Makes tokens from another source the session, for example those of a provisional account, a device or the game's backend: a token set,
   * `{ accessToken, expiresIn }`, or the JSON of a token response. An ID token is verified. Without one, and for a plain access token, the
   * service is asked whose the token is. Without a refresh token, the client's option `getToken` brings new tokens.
   *
   * @throws ConfigurationError `invalid_argument`, `missing_application_id`.
   * @throws ApiError, NetworkError, ProtocolError: the previous session stays.
   */
  updateToken(tokens: GivenTokens | Secret | string, options?: CallOptions): Promise<Session> {
    return this.#context.call('tokens', [tokens, options], async (_, ...given) =>
      (await loadTokenCalls()).updateToken(this.#context, ...given),
    )
  }

  /**
   * Revokes a token at the service. Default: the session's. The service then revokes all tokens that the player has with the game, so the
   * session ends if the token was its own.
   *
   * @throws SessionError `signed_out`. @throws ApiError. @throws NetworkError.
   */
  revokeToken(token?: Secret | string | null, options?: CallOptions): Promise<void> {
    return this.#context.call('tokens', [{ token, options }], async (...call) =>
      (await loadTokenCalls()).revokeToken(this.#context, ...call),
    )
  }

  /**
   * Pauses early token refreshes until the returned function is called, for moments that must not stutter. An expired token is still
   * refreshed when a call needs it.
   */
  pauseRefresh(): () => void {
    const { holds } = this.#context
    const hold = {}
    holds.add(hold)
    return () => void holds.delete(hold)
  }
}
