/** The client of a game: the one place that joins the rooms. What differs between page, shell and test comes in from outside. */
import { EventEmitter } from 'eventemitter3'
import type { AuthorizationArgsFields } from '../authorization/args'
import type { CallbackDesk } from '../authorization/callback-desk'
import { type AuthorizationFlow, createAuthorizationFlow } from '../authorization/flow'
import { type AuthorizationCodeVerifier, createAuthorizationCodeVerifier } from '../authorization/pkce'
import type { AuthorizationResult } from '../authorization/result'
import type { AuthorizationSurface } from '../authorization/surface'
import { ConfigurationError } from '../foundation/errors'
import type { Log } from '../foundation/log'
import type { Secret } from '../foundation/secret'
import { type CodeExchange, createCodeExchange } from '../tokens/exchange'
import type { Session } from '../tokens/session'
import type { Redeemed } from '../tokens/token-reader'
import type { TokenSet } from '../tokens/token-set'
import type { ClientEvents, ClientStatus } from './events'
import { requireApplicationId, type ResolvedOptions } from './options'
import { createPresence } from './presence'

/** How long a player may take, in ms; twice that when the page is left. */
const AUTHORIZE_TIMEOUT = 300_000
const PRESENCE_SCOPES = 'openid sdk.social_layer_presence'
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

export class CoreClient extends EventEmitter<ClientEvents> {
  readonly #options: ResolvedOptions
  readonly #flow: AuthorizationFlow
  readonly #exchange: CodeExchange
  readonly #presence = createPresence({
    status: (event) => this.emit('statusChanged', event),
    session: (event) => this.emit('sessionChanged', event),
  })
  readonly #life = new AbortController()
  #desk: Promise<CallbackDesk> | undefined

  constructor(options: ResolvedOptions) {
    super()
    this.#options = options
    const log: Log = (level, step, data = {}) => {
      const entry = { level, step, data }
      options.logger?.(entry)
      this.emit('log', entry)
    }
    const context = { ...options, log, life: this.#life.signal }
    this.#flow = createAuthorizationFlow({ ...context, maybeClosed: () => this.emit('maybeClosed', { at: options.clock.now() }) })
    this.#exchange = createCodeExchange(context)
  }

  /** `openid sdk.social_layer_presence` (S:195). */
  static getDefaultPresenceScopes(): string {
    return PRESENCE_SCOPES
  }

  /** `openid sdk.social_layer` (S:195). */
  static getDefaultCommunicationScopes(): string {
    return COMMUNICATION_SCOPES
  }

  /** The signed-in player, or null. */
  get session(): Session | null {
    return this.#presence.session
  }

  get status(): ClientStatus {
    return this.#presence.status
  }

  /** The id that requests use unless their arguments name another. @throws ConfigurationError `invalid_argument`. */
  setApplicationId(applicationId: string | bigint): void {
    this.#options.applicationId = requireApplicationId(applicationId)
  }

  getApplicationId(): string | undefined {
    return this.#options.applicationId
  }

  /** A PKCE pair for callers that keep the verifier themselves (S:198). Synchronous. */
  createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createAuthorizationCodeVerifier()
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
    { surface = this.#options.surface, timeout, signal }: AuthorizeOptions = {},
  ): Promise<AuthorizationResult> {
    this.#requireOpen()
    if (!surface) throw new ConfigurationError('unsupported', 'surface')
    const limit = timeout ?? AUTHORIZE_TIMEOUT * (surface.keep ? 2 : 1)
    return this.#flow.authorize(args, { surface, timeout: limit, signal, applicationId: this.#options.applicationId })
  }

  /** Ends every attempt that waits, as `aborted`. An answer that still arrives is dropped. */
  abortAuthorize(): void {
    this.#flow.abortAll()
  }

  /**
   * Takes the URL that an authorization came back to: after a full-page redirect, or as a deep link. The same URL gives the same result
   * again for a minute, and its code is redeemed once.
   * @throws AuthorizationError, for example `state_mismatch`, `access_denied`, `timed_out`.
   */
  async handleCallback(url: string): Promise<AuthorizationResult | null> {
    this.#requireOpen()
    this.#desk ??= import('../authorization/callback-desk').then(({ createCallbackDesk }) =>
      createCallbackDesk({ ...this.#options, flow: this.#flow }),
    )
    return (await this.#desk)(url)
  }

  /**
   * Redeems a code for verified tokens and leaves `session` alone. `codeVerifier` is needed only for a challenge of the caller's own.
   * @throws AuthorizationError `invalid_grant`. @throws ProtocolError `invalid_id_token`, `keys_unavailable`. @throws NetworkError.
   */
  async getToken(
    result: AuthorizationResult,
    codeVerifier?: Secret | string,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<TokenSet> {
    return (await this.#redeem(result, codeVerifier, signal)).tokens
  }

  /**
   * Signs a player in: `authorize`, `getToken`, and the tokens kept as `session`. Rejects as those two do; the old session then stays.
   * Call it inside the player's click.
   */
  async signIn({ args = { scopes: COMMUNICATION_SCOPES }, result, codeVerifier, ...options }: SignInOptions = {}): Promise<Session> {
    if (!result && !OPENID.test(args.scopes ?? '')) throw (await import('../authorization/args-error')).argumentError(['scopes'])
    // Nothing is awaited before `authorize`: it is still the player's click.
    return this.#presence.enter(async () => {
      const authorized = result ?? (await this.authorize(args, options))
      return (await this.#redeem(authorized, codeVerifier, options.signal)).session
    })
  }

  /** Forgets the session. Local, immediate, and always successful. */
  async signOut(): Promise<void> {
    this.#presence.leave()
  }

  /** Ends everything this client does. It leaves no timer, no listener and no window behind, and takes no further call. */
  close(): void {
    this.#life.abort()
    this.#flow.abortAll()
    this.#presence.leave()
    this.removeAllListeners()
  }

  #requireOpen(): void {
    if (this.#life.signal.aborted) throw new ConfigurationError('closed', 'client')
  }

  async #redeem(result: AuthorizationResult, codeVerifier?: Secret | string, signal?: AbortSignal): Promise<Redeemed> {
    this.#requireOpen()
    return this.#exchange(result, { clientId: this.#options.applicationId, codeVerifier, signal })
  }
}
