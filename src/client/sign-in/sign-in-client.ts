/** Sign-in, session, tokens and events of a client. Needs no environment; browser and Electron pass in their services. */
import type { AuthorizationArgsFields } from '../../shared/authorization/authorization-args'
import {
  type AuthorizationResult,
  ownerOf,
  openResult,
} from '../../shared/authorization/authorization-result'
import { type AuthorizationSurface, argumentFault } from '../../shared/authorization/authorization-flow'
import {
  type AuthorizationCodeVerifier,
  createAuthorizationCodeVerifier,
} from '../../shared/authorization/attempt'
import type { Secret } from '../../shared/foundation/secret'
import { Emitter, type ListenerOptions } from '../../shared/foundation/emitter'
import { loadOnce, listenToAbort } from '../../shared/foundation/async'
import { ownFields } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import {
  checkOptions,
  requireNumber,
  type CallOptions,
  bindMethods,
  withTypedErrors,
} from '../../shared/foundation/options'
import { requireWebCrypto } from '../../shared/foundation/crypto'
import type { ApplicationId } from '../../shared/foundation/ids'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { CallbackHandler } from '../../shared/authorization/create-callback-handler'
import type { Sessions, SignOutOptions, SignOutResult } from './sessions'
import { ClientBase } from '../context/client-base'
import { type ClientEvents, CLIENT_EVENTS, type ClientStatus } from '../context/client-events'
import { type ResolvedOptions, requireApplicationId } from '../context/client-options'
import type { Session } from '../session/session'
import { loadArgumentError, loadCallbackHandler } from '../context/capabilities'
import type { EventEmitter } from 'eventemitter3'

/** Options of `authorize`. */
export interface AuthorizeOptions {
  /** Presents the authorize page. Default: the client's own surface. */
  surface?: AuthorizationSurface | undefined
  /** Time in ms until `timed_out`. Default: 300,000 (5 minutes); 600,000 for a surface that leaves the page. */
  timeout?: number | undefined
  /** Aborts the sign-in with `aborted`. */
  signal?: AbortSignal | undefined
}

/** Options of `signIn`. */
export interface SignInOptions extends AuthorizeOptions {
  /**
   * Scopes, divided by single spaces; they must contain `openid`. Shorter than `args: { scopes }`. Default: the communication scopes, see
   * `Client.getDefaultCommunicationScopes`.
   */
  scopes?: string | undefined
  /**
   * Arguments of the authorization. Default: the communication scopes. `scopes` must contain `openid`, because a session needs an ID token.
   */
  args?: AuthorizationArgsFields | undefined
  /** A result from `handleCallback` or `authorize`. With it, no authorize page is shown. */
  result?: AuthorizationResult | undefined
  /** Required only if `args.codeChallenge` was set: the verifier that belongs to that challenge, or the pair with it. */
  codeVerifier?: Secret | string | AuthorizationCodeVerifier | undefined
}

/** Options, and the services of the environment. */
export interface ClientParts extends ResolvedOptions {
  /**
   * Loads the sessions with the environment's locks, broadcasts and online state: `openBrowserSessions`, `BackendHeldSessions` or
   * `openMainSessions`.
   */
  loadSessions: (client: ClientBase) => Promise<Sessions>
}

export class ClientContext extends ClientBase {
  readonly sessions: () => Promise<Sessions>

  constructor(given: ClientParts, emitter: Emitter<ClientEvents>, closeSignal: AbortSignal) {
    super(ownFields(given), emitter, closeSignal)
    this.sessions = loadOnce(() => given.loadSessions(this))
  }
}

/** Default time in ms for a player to complete a sign-in; doubled for a surface that leaves the page. */
const AUTHORIZE_TIMEOUT = 300_000
const COMMUNICATION_SCOPES = 'openid sdk.social_layer'
const OPENID = /(^| )openid( |$)/

const SIGN_IN_OPTIONS = ['scopes', 'args', 'result', 'codeVerifier', 'surface', 'timeout', 'signal'] as const

/** @throws ConfigurationError `invalid_argument` for scopes in two places. */
function readArgs({ scopes, args }: SignInOptions): AuthorizationArgsFields {
  if (scopes !== undefined && args !== undefined)
    throw new ConfigurationError('invalid_argument', 'scopes', {
      remedy: 'Give either scopes or args: { scopes }',
    })
  return args ?? { scopes: scopes ?? COMMUNICATION_SCOPES }
}

/** Loads what follows the consent. The signing keys are fetched too, but not awaited: tokens can be verified later. */
async function loadSteps({ tokenClient, sessions }: ClientContext): Promise<Sessions> {
  const loading = tokenClient()
  void loading.then(
    (client) => client.fetchKeys(),
    () => undefined,
  )
  const [loaded] = await Promise.all([sessions(), loading])
  return loaded
}

/** Client that signs a player in; `CoreClient` adds lobbies, Activities, accounts and the backend. */
export class SignInClient {
  readonly #context: ClientContext
  readonly #emitter = new Emitter<ClientEvents>(CLIENT_EVENTS)
  readonly #closing = new AbortController()
  readonly #callbacks: () => Promise<CallbackHandler>

  /** @param take receives what the calls of a subclass need. */
  constructor(given: ClientParts, take?: (context: ClientContext) => void) {
    const context = new ClientContext(given, this.#emitter, this.#closing.signal)
    this.#context = context
    this.#callbacks = loadOnce(async () => {
      const { flow, options: client } = context
      const { findAttempt, clock } = client
      return (await loadCallbackHandler()).createCallbackHandler({ client, flow, findAttempt, clock })
    })
    take?.(context)
    bindMethods(this)
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

  /** Connection status; see `ClientStatus`. */
  get status(): ClientStatus {
    return this.#context.authState.status
  }

  /** The application id as a decimal string, or undefined if none is set. */
  get applicationId(): ApplicationId | undefined {
    return this.#context.options.applicationId
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
  signIn(options?: SignInOptions): Promise<Session> {
    return withTypedErrors('signIn', async () => {
      const context = this.#context
      const given = checkOptions(options, SIGN_IN_OPTIONS)
      const { result, codeVerifier, signal } = given
      const args = readArgs(given)
      if (!result && !OPENID.test(ownFields(args).scopes ?? ''))
        throw await argumentFault(['scopes'], loadArgumentError)
      context.requireOpen()
      if (result) openResult(result, context.options)
      const connecting = context.authState.connect()
      try {
        // 1. The player consents on the authorize page, while the code of the other steps loads.
        const consent = this.#authorizeWhileLoading(args, given)
        // After the surface has opened: a popup needs the player's click, and nothing else may run before it.
        connecting.show()
        const [authorized, sessions] = await consent
        // 2. The code is redeemed, and 3. the ID token of the response is verified.
        const verified = await sessions.redeem(authorized, { codeVerifier, signal })
        // 4. The service says whose the tokens are.
        const identified = await sessions.identifySignIn(verified, signal)
        // 5. The tokens become the session, unless the player signed out meanwhile.
        return await connecting.adopt(() => sessions.adopt(identified))
      } finally {
        connecting.end()
      }
    })
  }

  /**
   * Restores the session of the store, if there is one, without a request. Idempotent. Resolves with null if there is none. After a sign-in
   * that rejected with `player_unknown`: asks again whose the tokens are.
   *
   * Lobbies that the player joined with a secret come back too, unless `keepLobbies` is false: from the stream of `lobbyUpdates`, otherwise
   * joined again within the rate limit. Each call waits for them for 5 s at most; later ones follow with `lobbyCreated`. Lobbies that have ended are
   * forgotten.
   *
   * @throws SessionError `player_unknown` (retryable).
   */
  resume(): Promise<Session | null> {
    return this.#context.call('sessions', [], async () => (await this.#context.sessions()).resume())
  }

  /**
   * Signs out: at once in this client, then in the store and in all tabs that share it. Only `revoke: true` also revokes the tokens at the
   * service, because that ends every session of the player with this game on all devices. The result reports the revocation; it does not
   * reject.
   */
  signOut(options?: SignOutOptions): Promise<SignOutResult> {
    return withTypedErrors('signOut', async () => {
      const given = checkOptions(options, ['revoke', 'signal'])
      const { authState, sessions } = this.#context
      const { caller } = authState
      authState.clear()
      return (await sessions()).signOut(given, caller)
    })
  }

  /**
   * Calls the listener with one object for each event of this name. An exception in a listener goes to the global error handler.
   *
   * @returns a function that removes the listener.
   * @throws ConfigurationError `invalid_argument` for an unknown event name.
   * @example
   * ```ts
   * const off = client.on('sessionChanged', ({ session }) => render(session?.userId))
   * ```
   */
  on<Name extends keyof ClientEvents>(
    event: Name,
    listener: EventEmitter.EventListener<ClientEvents, Name>,
    options?: ListenerOptions,
  ): () => void {
    return this.#emitter.on(event, listener, options)
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
      this.#context.requireOpen()
      const { options: client, flow, invitation } = this.#context
      const given = checkOptions(options, ['surface', 'timeout', 'signal'])
      const { surface = this.#context.surface, timeout, signal } = given
      if (!surface)
        throw new ConfigurationError('unsupported', 'surface', {
          remedy: 'No page is available here: pass a surface, or use client.accounts.getTokenFromDevice()',
        })
      requireNumber(timeout, 'timeout', { kind: 'ms', min: 1, example: '300_000' })
      // The ID token could not be verified without Web Crypto, so fail before the player is asked.
      if (OPENID.test(args?.scopes ?? '')) requireWebCrypto()
      return flow.authorize(args, {
        surface,
        timeout: timeout ?? AUTHORIZE_TIMEOUT * (surface.keep ? 2 : 1),
        signal,
        applicationId: client.applicationId,
        owner: ownerOf(client),
        invitation,
      })
    })
  }

  /** Rejects every pending `authorize` with `aborted`. Callbacks that arrive later are ignored. */
  abortAuthorize(): void {
    this.#context.flow.abortAll()
  }

  /**
   * Completes an authorization with the URL it came back to, after a full-page redirect or as a deep link. For one minute, the same URL
   * returns the same result; its code is redeemed once.
   *
   * @throws AuthorizationError, for example `state_mismatch`, `access_denied`, `timed_out`.
   */
  handleCallback(url: string): Promise<AuthorizationResult | null> {
    return this.#context.call('authorization', [], async () => (await this.#callbacks())(url))
  }

  /**
   * Redeems an authorization code and verifies the ID token. Does not change `session`. `codeVerifier` is required only if the arguments
   * contained a `codeChallenge`: the verifier, or the whole pair of `createAuthorizationCodeVerifier()`.
   *
   * @throws AuthorizationError `invalid_grant`. @throws ProtocolError `invalid_id_token`, `keys_unavailable`. @throws NetworkError.
   * @example
   * ```ts
   * const result = await client.authorize({ scopes: Client.getDefaultCommunicationScopes() })
   * const { accessToken } = await client.getToken(result)
   * ```
   */
  getToken(
    result: AuthorizationResult,
    codeVerifier?: Secret | string | AuthorizationCodeVerifier,
    options?: CallOptions,
  ): Promise<TokenSet> {
    return this.#context.call('authorization', [result, codeVerifier, options], async (_, ...given) =>
      (await this.#context.sessions()).getTokens(...given),
    )
  }

  /**
   * Creates a PKCE pair for callers that store the verifier (docs/interface/authorization.md#code-challenge). @throws ConfigurationError `unsupported`.
   */
  createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createAuthorizationCodeVerifier()
  }

  /**
   * Refreshes the session's tokens now. With a refresh token of its own, redeems that one and does not change `session`. All tabs that
   * share the session wait for one request.
   *
   * @throws SessionError `signed_out`, `session_expired` (no refresh token), `refresh_in_doubt` (retryable), `refresh_rejected`,
   * `refresh_answer_lost`.
   * @throws AuthorizationError `invalid_grant` for a refresh token of its own.
   * @throws NetworkError, ApiError, ProtocolError: the session stays.
   */
  refreshToken(refreshToken?: Secret | string | null, options?: CallOptions): Promise<TokenSet> {
    return this.#context.call('sessions', [refreshToken, options], async (...call) =>
      (await this.#context.sessions()).refreshToken(...call),
    )
  }

  /** Sets the application id for requests whose arguments contain none. @throws ConfigurationError `invalid_argument`. */
  setApplicationId(applicationId: string | bigint): void {
    this.#context.options.applicationId = requireApplicationId(applicationId)
  }

  /**
   * Closes the client: aborts pending work, removes all timers and listeners, and closes sign-in windows. Later calls reject with `closed`.
   */
  close(): void {
    this.#closing.abort()
    this.#context.flow.abortAll()
    this.#context.authState.close()
    this.#emitter.clear()
  }

  /** Vue makes no proxy of an object with a tag: private fields do not exist on one. */
  protected get [Symbol.toStringTag](): string {
    return 'Client'
  }

  /** Identifies the client that a sign-in belongs to: service, application and profile. */
  protected get owner(): string {
    return ownerOf(this.#context.options)
  }

  /** Options of the game and of the environment, with defaults. */
  protected get options(): ResolvedOptions {
    return this.#context.options
  }

  /** Emits an event of the client. */
  protected emit<Name extends keyof ClientEvents>(
    event: Name,
    ...args: EventEmitter.EventArgs<ClientEvents, Name>
  ): void {
    this.#emitter.emit(event, ...args)
  }

  /** Shows the authorize page while the code loads. A failed load aborts the authorization, so that no consent is wasted. */
  async #authorizeWhileLoading(
    args: AuthorizationArgsFields,
    { result, surface, timeout, signal }: SignInOptions,
  ): Promise<[result: AuthorizationResult, sessions: Sessions]> {
    const context = this.#context
    if (result) return [result, await loadSteps(context)]
    const cancellation = new AbortController()
    const cancel = () => cancellation.abort()
    const forget = listenToAbort(signal, cancel)
    try {
      // Leaving the page would abort the downloads. Read first: a surface of the game may throw.
      const leavesPage = (surface ?? context.surface)?.keep !== undefined
      // Called synchronously: a popup needs the player's click.
      const consent = this.authorize(args, { surface, timeout, signal: cancellation.signal })
      return leavesPage
        ? [await consent, await loadSteps(context)]
        : await Promise.all([consent, loadSteps(context)])
    } finally {
      forget()
      cancel()
    }
  }
}
