/** Sign-in, session, tokens and events of a client. Needs no environment; browser and Electron pass in their services. */
import { type CallOptions, checkOptions, bindMethods, withTypedErrors } from '../../shared/foundation/options'
import type { EventEmitter } from 'eventemitter3'
import type { AuthorizationArgsFields } from '../../shared/authorization/authorization-args'
import {
  type AuthorizationCodeVerifier,
  createAuthorizationCodeVerifier,
} from '../../shared/authorization/pkce'
import { type AuthorizationResult, ownerOf } from '../../shared/authorization/authorization-result'
import { Emitter, type ListenerOptions } from '../../shared/foundation/emitter'
import { type ResolvedOptions, requireApplicationId } from '../context/client-options'
import type { ApplicationId } from '../../shared/foundation/ids'
import type { Secret } from '../../shared/foundation/secret'
import type { Session } from '../session/session'
import type { TokenSet } from '../../shared/tokens/token-set'
import { loadOnce } from '../../shared/foundation/async'
import type { CallbackHandler } from '../../shared/authorization/create-callback-handler'
import { loadCallbackHandler } from '../context/capabilities'
import { ClientContext, type ClientParts } from './client-context'
import { CLIENT_EVENTS, type ClientEvents, type ClientStatus } from '../context/client-events'
import type { SignOutOptions, SignOutResult } from './sessions'
import { COMMUNICATION_SCOPES, runAuthorize, runSignIn } from './run-sign-in'
import type { AuthorizeOptions, SignInOptions } from './sign-in-options'

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
    const authorize: SignInClient['authorize'] = (args, given) => this.authorize(args, given)
    return withTypedErrors('signIn', () => runSignIn(this.#context, options, authorize))
  }

  /**
   * Restores the session of the store, if there is one, without a request. Idempotent. Resolves with null if there is none. After a sign-in
   * that rejected with `player_unknown`: asks again whose the tokens are.
   *
   * Lobbies that the player joined with a secret come back too, unless `keepLobbies` is false: from the stream of `lobbyUpdates`, otherwise
   * joined again within the rate limit. It waits for them for 5 s at most; later ones follow with `lobbyCreated`. Lobbies that have ended are
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
      return runAuthorize(this.#context, args, checkOptions(options, ['surface', 'timeout', 'signal']))
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
}
