/** The client of a game: the one place that joins the rooms. What differs between page, shell and test comes in from outside. */
import { EventEmitter } from 'eventemitter3'
import { type ActivityLaunch, parseLaunch } from '../activity/launch'
import type { AuthorizationArgsFields } from '../authorization/args'
import { createAuthorizationFlow } from '../authorization/flow'
import { type AuthorizationCodeVerifier, createAuthorizationCodeVerifier } from '../authorization/pkce'
import type { AuthorizationResult } from '../authorization/result'
import type { AuthorizationSurface } from '../authorization/surface'
import { ConfigurationError } from '../foundation/errors'
import { loadOnce } from '../foundation/load-once'
import type { Log } from '../foundation/log'
import { safely } from '../foundation/safely'
import type { Secret } from '../foundation/secret'
import type { Lobby, LobbyId } from '../lobbies/lobby'
import type { BucketUse } from '../rate-limit/events'
import type { Session } from '../tokens/session'
import type { ClientContext, ClientParts } from './context'
import type { ClientEvents, ClientStatus } from './events'
import { requireApplicationId } from './options'
import { type PartCalls, PARTS } from './parts'
import { createPresence } from './presence'
import type { SignOutOptions, SignOutResult } from './session-port'

/** How long a player may take, in ms; twice that when the page is left. */
const AUTHORIZE_TIMEOUT = 300_000
const COMMUNICATION_SCOPES = 'openid sdk.social_layer'
const OPENID = /(^| )openid( |$)/

export interface AuthorizeOptions {
  /** How the authorize page is shown. Default: the client's own surface. */
  surface?: AuthorizationSurface
  /** ms until `timed_out`. Default: 5 minutes, 10 for a surface that leaves the page. */
  timeout?: number
  signal?: AbortSignal
}

export interface SignInOptions extends AuthorizeOptions {
  /** Default: the communication scopes. `openid` must be among the scopes: without an ID token nobody is signed in. */
  args?: AuthorizationArgsFields
  /** A result that is there already, from `handleCallback` or `authorize`. */
  result?: AuthorizationResult
  /** Needed only for a challenge of the caller's own. */
  codeVerifier?: Secret | string
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class defines every one of them, below.
export interface CoreClient extends PartCalls {}

export class CoreClient extends EventEmitter<ClientEvents> {
  static {
    CoreClient.#defineParts()
  }

  readonly #context: ClientContext
  readonly #life = new AbortController()
  readonly #parts = new Map(PARTS.map((part) => [part, loadOnce(() => part.load(this.#context))]))

  constructor(options: ClientParts) {
    super()
    const log: Log = (level, step, data = {}) => {
      const entry = { level, step, data }
      safely(() => options.logger?.(entry))
      this.emit('log', entry)
    }
    const emit = this.emit.bind(this)
    const presence = createPresence(emit)
    const base = {
      ...options,
      lobbies: new Map<string, Lobby>(),
      holds: new Set<object>(),
      joinLobby: this.createOrJoinLobby.bind(this),
      log,
      emit,
      presence,
      life: this.#life.signal,
    }
    const flow = createAuthorizationFlow({ ...base, maybeClosed: () => emit('maybeClosed', { at: options.clock.now() }) })
    this.#context = Object.assign(base, {
      flow,
      exchange: loadOnce(async () => (await import('../tokens/exchange')).createExchange(this.#context)),
      sessions: loadOnce(() => options.loadSessions(this.#context)),
    })
  }

  /** `openid sdk.social_layer_presence` (S:195). */
  static getDefaultPresenceScopes(): string {
    return 'openid sdk.social_layer_presence'
  }

  /** `openid sdk.social_layer` (S:195). */
  static getDefaultCommunicationScopes(): string {
    return COMMUNICATION_SCOPES
  }

  /** The signed-in player, or null. */
  get session(): Session | null {
    return this.#context.presence.session
  }

  /** Where this Activity was launched from, as the address of its frame says (supplement C.1). Null outside an Activity. */
  getActivityLaunch(): ActivityLaunch | null {
    return parseLaunch(this.#context.launchQuery)
  }

  get status(): ClientStatus {
    return this.#context.presence.status
  }

  /** The id that requests use unless their arguments name another. @throws ConfigurationError `invalid_argument`. */
  setApplicationId(applicationId: string | bigint): void {
    this.#context.applicationId = requireApplicationId(applicationId)
  }

  getApplicationId(): string | undefined {
    return this.#context.applicationId
  }

  /** A PKCE pair for callers that keep the verifier themselves (S:198). Synchronous. */
  createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createAuthorizationCodeVerifier()
  }

  /** Every rate limit in use, for a meter; empty before the first call that is limited. */
  limits(): BucketUse[] {
    return this.#context.limits?.() ?? []
  }

  /** The ids of the lobbies that this client knows the player to be in. */
  getLobbyIds(): LobbyId[] {
    return Array.from(this.#context.lobbies.values(), ({ id }) => id)
  }

  /** A lobby as it was last heard of: from this client's own calls, or from `lobbyUpdates`. The service lets no player read one. */
  getLobby(lobbyId: string): Lobby | undefined {
    return this.#context.lobbies.get(lobbyId)
  }

  /** What a listener throws reaches the page's own error handler, and stops nothing here. */
  override emit<Event extends keyof ClientEvents>(event: Event, ...args: EventEmitter.EventArgs<ClientEvents, Event>): boolean {
    return safely(() => super.emit(event, ...args)) ?? true
  }

  /** `on`, and its undo as the result. */
  subscribe<Event extends keyof ClientEvents>(event: Event, listener: EventEmitter.EventListener<ClientEvents, Event>): () => void {
    this.on(event, listener)
    return () => this.off(event, listener)
  }

  /**
   * Asks the player for consent and resolves with a code that passed every check; it never exchanges the code. Call it inside the
   * player's click, with nothing awaited before it: a popup then opens without being blocked.
   * @throws ValidationError `invalid_argument`. @throws AuthorizationError, for example `access_denied`, `popup_blocked`, `aborted`,
   * `timed_out`. @throws ConfigurationError `missing_application_id`, `unsupported`, `closed`.
   */
  async authorize(
    args: AuthorizationArgsFields,
    { surface = this.#context.surface, timeout, signal }: AuthorizeOptions = {},
  ): Promise<AuthorizationResult> {
    this.#requireOpen()
    if (!surface) throw new ConfigurationError('unsupported', 'surface')
    const limit = timeout ?? AUTHORIZE_TIMEOUT * (surface.keep ? 2 : 1)
    return this.#context.flow.authorize(args, { surface, timeout: limit, signal, applicationId: this.#context.applicationId })
  }

  /** Ends every attempt that waits, as `aborted`. An answer that still arrives is dropped. */
  abortAuthorize(): void {
    this.#context.flow.abortAll()
  }

  /**
   * Signs a player in: `authorize`, `getToken`, and the tokens kept as `session`. Rejects as those two do; the old session then stays.
   * Call it inside the player's click.
   */
  async signIn({ args = { scopes: COMMUNICATION_SCOPES }, result, codeVerifier, ...options }: SignInOptions = {}): Promise<Session> {
    if (!result && !OPENID.test(args.scopes ?? ''))
      throw (await loadOnce(() => import('../authorization/refusals'))()).argumentError(['scopes'])
    this.#requireOpen()
    const { presence, exchange, sessions } = this.#context
    return presence.enter(
      async () => {
        // Nothing is awaited before `authorize`: it is still the player's click. What comes after loads while the player answers.
        const authorizing = result ?? this.authorize(args, options)
        exchange().catch(() => {})
        const authorized = await authorizing
        return (await exchange()).redeem(authorized, { codeVerifier, signal: options.signal })
      },
      async (redeemed) => (await sessions()).adopt(redeemed),
    )
  }

  /**
   * Forgets the session: here at once, and then in the store and in all tabs that share it. The service is asked to end the tokens only
   * with `revoke: true`, since that ends every session of the player with this game, on all devices; whether it did is in the result.
   */
  async signOut(options: SignOutOptions = {}): Promise<SignOutResult> {
    this.#context.presence.leave()
    return (await this.#context.sessions()).signOut(options)
  }

  /** Whether there is a session. Whether the service still honours it, only a request can tell. */
  isAuthenticated(): boolean {
    return !!this.session
  }

  /**
   * Keeps the session from being renewed ahead of time until the result is called: for moments that must not stutter. A token that has
   * expired is renewed all the same when a call needs it.
   */
  hold(): () => void {
    const { holds } = this.#context
    const hold = {}
    holds.add(hold)
    return () => void holds.delete(hold)
  }

  /** Ends everything this client does. It leaves no timer, no listener and no window behind, and takes no further call. */
  close(): void {
    this.#life.abort()
    this.#context.flow.abortAll()
    this.#context.presence.leave()
    this.removeAllListeners()
  }

  static #defineParts(): void {
    for (const part of PARTS) {
      for (const method of part.methods) {
        Object.assign(this.prototype, {
          async [method](this: CoreClient, ...args: never[]) {
            this.#requireOpen()
            return (await this.#parts.get(part)?.())?.[method]?.(...args)
          },
        })
      }
    }
  }

  #requireOpen(): void {
    if (this.#life.signal.aborted) throw new ConfigurationError('closed', 'client')
  }
}
