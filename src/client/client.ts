/** The client of a game: the one place that joins the rooms. What differs between page, shell and test comes in from outside. */
import { type ActivityLaunch, parseLaunch } from '../activity/launch'
import type { AuthorizationArgsFields } from '../authorization/args'
import { createAuthorizationFlow } from '../authorization/flow'
import { type AuthorizationCodeVerifier, createAuthorizationCodeVerifier } from '../authorization/pkce'
import { argumentFault } from '../authorization/argument-fault'
import { type AuthorizationResult, ownerOf, openResult } from '../authorization/result'
import type { AuthorizationSurface } from '../authorization/surface'
import { ownFields } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import { memoizedImport } from '../foundation/lazy'
import type { Log } from '../foundation/log'
import { runCallback } from '../foundation/run-callback'
import type { Secret } from '../foundation/secret'
import { requireWebCrypto } from '../foundation/web-crypto'
import type { Lobby, LobbyId } from '../lobbies/lobby'
import type { RateLimitUsage } from '../rate-limit/events'
import type { Session } from '../tokens/session/session'
import type { ClientContext, ClientParts } from './context'
import type { ClientStatus } from './events'
import { requireApplicationId } from './options'
import { createLazyModuleLoaders, ClientWithLazyMethods, type LazyModuleLoaders, type LazyModules } from './lazy-methods'
import { createAuthState } from './auth-state'
import { askWhileLoading, loadExchange } from './sign-in'
import type { SignOutOptions, SignOutResult } from './session-api'

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

export class CoreClient extends ClientWithLazyMethods {
  readonly #context: ClientContext
  readonly #life = new AbortController()
  readonly #parts: LazyModuleLoaders

  constructor(given: ClientParts) {
    super()
    const options = ownFields(given)
    const log: Log = (level, step, data = {}) => {
      const entry = { level, step, data }
      runCallback(() => options.logger?.(entry))
      this.emit('log', entry)
    }
    const emit = this.emit.bind(this)
    const authState = createAuthState(emit)
    const base = ownFields({
      ...options,
      lobbies: new Map<string, Lobby>(),
      holds: new Set<object>(),
      joinLobby: this.createOrJoinLobby.bind(this),
      log,
      emit,
      authState,
      closeSignal: this.#life.signal,
    })
    const flow = createAuthorizationFlow({ ...base, maybeClosed: () => emit('maybeClosed', { at: options.clock.now() }) })
    this.#context = Object.assign(base, {
      flow,
      exchange: memoizedImport(async () => (await import('../tokens/token-client')).createTokenClient(this.#context)),
      sessions: memoizedImport(() => options.loadSessions(this.#context)),
    })
    this.#parts = createLazyModuleLoaders(this.#context)
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
    return this.#context.authState.session
  }

  /** Where this Activity was launched from, as the address of its frame says (supplement C.1). Null outside an Activity. */
  getActivityLaunch(): ActivityLaunch | null {
    return parseLaunch(this.#context.launchQuery)
  }

  get status(): ClientStatus {
    return this.#context.authState.status
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
  limits(): RateLimitUsage[] {
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

  /**
   * Asks the player for consent and resolves with a code that passed every check; it never exchanges the code. Call it inside the
   * player's click, with nothing awaited before it: a popup then opens without being blocked.
   * @throws ValidationError `invalid_argument`. @throws AuthorizationError, for example `access_denied`, `popup_blocked`, `aborted`,
   * `timed_out`. @throws ConfigurationError `missing_application_id`, `unsupported`, `closed`.
   */
  async authorize(args: AuthorizationArgsFields, options?: AuthorizeOptions): Promise<AuthorizationResult> {
    this.#requireOpen()
    const { surface = this.#context.surface, timeout, signal } = ownFields(options ?? {})
    if (!surface)
      throw new ConfigurationError('unsupported', 'surface', {
        remedy: 'There is no page here: pass a surface, or use getTokenFromDevice()',
      })
    // An ID token will come that could not be verified: refused before the player is asked.
    if (OPENID.test(args?.scopes ?? '')) requireWebCrypto()
    const limit = timeout ?? AUTHORIZE_TIMEOUT * (surface.keep ? 2 : 1)
    const { flow, applicationId } = this.#context
    return flow.authorize(args, { surface, timeout: limit, signal, applicationId, owner: ownerOf(this.#context) })
  }

  /** Ends every attempt that waits, as `aborted`. An answer that still arrives is dropped. */
  abortAuthorize(): void {
    this.#context.flow.abortAll()
  }

  /**
   * Signs a player in: `authorize`, `getToken`, and the tokens kept as `session`. Rejects as those two do; the old session then stays.
   * Call it inside the player's click.
   */
  async signIn(given?: SignInOptions): Promise<Session> {
    const { result, codeVerifier, ...options } = ownFields(given ?? {})
    const args = options.args ?? { scopes: COMMUNICATION_SCOPES }
    if (!result && !OPENID.test(ownFields(args).scopes ?? '')) throw await argumentFault(['scopes'])
    this.#requireOpen()
    if (result) openResult(result, this.#context)
    const { authState, sessions } = this.#context
    return authState.runSignIn(
      async () => {
        const ask = (signal: AbortSignal) => this.authorize(args, { ...options, signal })
        const [answer, { redeem }] = result
          ? [result, await loadExchange(this.#context)]
          : await askWhileLoading(this.#context, options, ask)
        return redeem(answer, { codeVerifier, signal: options.signal })
      },
      async (redeemed) => (await sessions()).adopt(redeemed),
    )
  }

  /**
   * Forgets the session: here at once, and then in the store and in all tabs that share it. The service is asked to end the tokens only
   * with `revoke: true`, since that ends every session of the player with this game, on all devices; whether it did is in the result.
   */
  async signOut(options?: SignOutOptions): Promise<SignOutResult> {
    this.#context.authState.clear()
    return (await this.#context.sessions()).signOut({ ...options })
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
    this.#context.authState.clear()
    this.removeAllListeners()
  }

  /** The identity that a sign-in of this client belongs to: service, application and profile. */
  protected get owner(): string {
    return ownerOf(this.#context)
  }

  protected override async part<Name extends keyof LazyModules>(name: Name): Promise<LazyModules[Name]> {
    this.#requireOpen()
    return this.#parts[name]()
  }

  #requireOpen(): void {
    if (this.#life.signal.aborted) throw new ConfigurationError('closed', 'client')
  }
}
