/** Environment-independent client: connects authorization, tokens, lobbies and Activities. Browser and Electron pass in their services. */
import { type ActivityLaunch, parseLaunch } from '../activity/activity-launch'
import { loadOnce } from '../foundation/import-part'
import { loadBackendMethods, loadExchange } from './parts'
import type { AuthorizationArgsFields } from '../authorization/authorization-args'
import { createAuthorizationFlow } from '../authorization/authorization-flow'
import { type AuthorizationCodeVerifier, createAuthorizationCodeVerifier } from '../authorization/pkce'
import { type AuthorizationResult, ownerOf } from '../authorization/authorization-result'
import { ownFields } from '../foundation/values/guard-untrusted-values'
import { ConfigurationError } from '../foundation/errors'
import type { Log } from '../foundation/log-entry'
import { runCallback } from '../foundation/run-callback'
import { withTypedErrors } from '../foundation/with-typed-errors'
import type { Lobby, LobbyId } from '../lobbies/lobby'
import type { RateLimitUsage } from '../rate-limit/limiter-events'
import type { Session } from '../tokens/session/session'
import type { ClientContext, ClientParts } from './context/client-context'
import type { ClientStatus } from './context/client-events'
import { requireApplicationId } from './context/client-options'
import { createJoin, createLazyModuleLoaders, ClientWithLazyMethods, type LazyModuleLoaders, type LazyModules } from './lazy-methods'
import { createAuthState } from './context/auth-state'
import type { Caller } from './context/caller'
import { COMMUNICATION_SCOPES, runAuthorize, runSignIn } from './run-sign-in'
import type { AuthorizeOptions, SignInOptions } from './sign-in-options'
import type { SignOutOptions, SignOutResult } from './context/sessions'

/** Client without environment services; `Client` and `MainClient` extend it. */
export class CoreClient extends ClientWithLazyMethods {
  readonly #context: ClientContext
  readonly #closing = new AbortController()
  readonly #modules: LazyModuleLoaders

  constructor(given: ClientParts) {
    super()
    const options = ownFields(given)
    const log: Log = (level, step, data = {}) => {
      const entry = { level, step, data }
      runCallback(() => options.logger?.(entry))
      this.emit('log', entry)
    }
    const emit = this.emit.bind(this)
    const base = ownFields({
      ...options,
      lobbies: new Map<string, Lobby>(),
      holds: new Set<object>(),
      joinLobby: createJoin((caller) => this.loadModule('lobbies', caller)),
      log,
      emit,
      on: this.on.bind(this),
      authState: createAuthState(emit),
      closeSignal: this.#closing.signal,
    })
    const isLogging = () => !!options.logger || this.listenerCount('log') > 0
    const maybeClosed = () => emit('maybeClosed', { at: options.clock.now() })
    const loadVerifier = async () => (await this.#context.exchange()).verifyCallback
    const flow = createAuthorizationFlow({ ...base, isLogging, maybeClosed, loadVerifier })
    this.#context = Object.assign(base, {
      flow,
      exchange: loadOnce(async () => (await loadExchange()).createExchange(this.#context)),
      playerRequests: async () => (await loadBackendMethods()).createPlayerRequests(this.#context),
      sessions: loadOnce(() => options.loadSessions(this.#context)),
    })
    this.#modules = createLazyModuleLoaders(this.#context)
  }

  /** Returns the scopes for presence only: `openid sdk.social_layer_presence` (docs/interface/authorization.md#scopes). */
  static getDefaultPresenceScopes(): string {
    return 'openid sdk.social_layer_presence'
  }

  /**
   * Returns the scopes for lobbies, messages and everything else: `openid sdk.social_layer` (docs/interface/authorization.md#scopes).
   * Default of `signIn`.
   */
  static getDefaultCommunicationScopes(): string {
    return COMMUNICATION_SCOPES
  }

  /** The signed-in session, or null. */
  get session(): Session | null {
    return this.#context.authState.session
  }

  /**
   * Returns the launch parameters of the Activity, read from the address of its frame (docs/interface/activities.md#launch-parameters).
   * Null outside an Activity.
   */
  getActivityLaunch(): ActivityLaunch | null {
    return parseLaunch(this.#context.launchQuery)
  }

  /** Connection status; see `ClientStatus`. */
  get status(): ClientStatus {
    return this.#context.authState.status
  }

  /** Sets the application id for requests whose arguments contain none. @throws ConfigurationError `invalid_argument`. */
  setApplicationId(applicationId: string | bigint): void {
    this.#context.applicationId = requireApplicationId(applicationId)
  }

  /** Returns the application id as a decimal string, or undefined if none is set. */
  getApplicationId(): string | undefined {
    return this.#context.applicationId
  }

  /**
   * Creates a PKCE pair for callers that store the verifier (docs/interface/authorization.md#code-challenge). @throws ConfigurationError `unsupported`.
   */
  createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createAuthorizationCodeVerifier()
  }

  /** Returns the current usage of every rate limit, for example for a display. Empty before the first rate-limited call. */
  limits(): RateLimitUsage[] {
    return this.#context.limits?.() ?? []
  }

  /** Returns the ids of the lobbies in this client's cache. */
  getLobbyIds(): LobbyId[] {
    return Array.from(this.#context.lobbies.values(), ({ id }) => id)
  }

  /** Returns a lobby from the cache, which own calls and `lobbyUpdates` fill: the service has no endpoint for players to read one. */
  getLobby(lobbyId: string): Lobby | undefined {
    return this.#context.lobbies.get(lobbyId)
  }

  /**
   * Shows the authorize page and resolves with a verified authorization code; it does not redeem the code. Call it synchronously in a click
   * handler: a popup opened after an `await` is blocked.
   *
   * @throws ValidationError `invalid_argument`.
   * @throws AuthorizationError, for example `access_denied`, `popup_blocked`, `aborted`, `timed_out`.
   * @throws ConfigurationError `missing_application_id`, `unsupported`, `closed`.
   * @example
   * ```ts
   * const result = await client.authorize({ scopes: Client.getDefaultPresenceScopes() })
   * const tokens = await client.getToken(result)
   * ```
   */
  authorize(args: AuthorizationArgsFields, options?: AuthorizeOptions): Promise<AuthorizationResult> {
    return withTypedErrors('authorize', async () => {
      this.#requireOpen()
      return runAuthorize(this.#context, args, options)
    })
  }

  /** Rejects every pending `authorize` with `aborted`. Callbacks that arrive later are ignored. */
  abortAuthorize(): void {
    this.#context.flow.abortAll()
  }

  /**
   * Signs a player in: `authorize`, `getToken`, and the tokens stored as `session`. If it rejects, the previous session stays. Call it
   * synchronously in a click handler.
   *
   * @throws The errors of `authorize` and `getToken`; SessionError `signed_out` after a sign-out meanwhile, `player_unknown` (retryable).
   * @example
   * ```ts
   * button.addEventListener('click', async () => {
   *   const session = await client.signIn()
   *   console.log(session.userId)
   * })
   * ```
   */
  signIn(given?: SignInOptions): Promise<Session> {
    const requireOpen = () => this.#requireOpen()
    const authorize: CoreClient['authorize'] = (args, options) => this.authorize(args, options)
    return withTypedErrors('signIn', () => runSignIn(this.#context, given, { requireOpen, authorize }))
  }

  /**
   * Signs out: at once in this client, then in the store and in all tabs that share it. Only `revoke: true` also revokes the tokens at the
   * service, because that ends every session of the player with this game on all devices. The result reports the revocation; it does not
   * reject.
   */
  signOut(options?: SignOutOptions): Promise<SignOutResult> {
    return withTypedErrors('signOut', async () => {
      const { authState, sessions } = this.#context
      const { caller } = authState
      authState.clear()
      return (await sessions()).signOut({ ...options }, caller)
    })
  }

  /** Returns true if there is a session. Only a request can show that the service still accepts it. */
  isAuthenticated(): boolean {
    return !!this.session
  }

  /**
   * Pauses early token refreshes until the returned function is called, for moments that must not stutter. An expired token is still
   * refreshed when a call needs it.
   */
  hold(): () => void {
    const { holds } = this.#context
    const hold = {}
    holds.add(hold)
    return () => void holds.delete(hold)
  }

  /**
   * Closes the client: aborts pending work, removes all timers and listeners, and closes sign-in windows. Later calls reject with `closed`.
   */
  close(): void {
    this.#closing.abort()
    this.#context.flow.abortAll()
    this.#context.authState.close()
    this.removeAllListeners()
  }

  /** Identifies the client that a sign-in belongs to: service, application and profile. */
  protected get owner(): string {
    return ownerOf(this.#context)
  }

  protected override async loadModule<Name extends keyof LazyModules>(name: Name, given?: Caller): Promise<LazyModules[Name]> {
    this.#requireOpen()
    const caller = given?.userId === undefined ? this.#context.authState.caller : given
    return (await this.#modules[name]())(caller)
  }

  #requireOpen(): void {
    if (this.#closing.signal.aborted) throw new ConfigurationError('closed', 'client')
  }
}
