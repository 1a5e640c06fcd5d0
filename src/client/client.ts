/** The client of a game: the one place that joins the rooms. What differs between page, shell and test comes in from outside. */
import { EventEmitter } from 'eventemitter3'
import type { AuthorizationArgsFields } from '../authorization/args'
import type { CallbackDesk } from '../authorization/callback-desk'
import { AuthorizationFlow } from '../authorization/flow'
import { type AuthorizationCodeVerifier, createAuthorizationCodeVerifier } from '../authorization/pkce'
import type { AuthorizationResult } from '../authorization/result'
import type { AuthorizationSurface } from '../authorization/surface'
import { ConfigurationError, SessionError } from '../foundation/errors'
import type { ApplicationId } from '../foundation/ids'
import type { Log, LogEntry } from '../foundation/log'
import type { Secret } from '../foundation/secret'
import { CodeExchange } from '../tokens/exchange'
import type { Session } from '../tokens/session'
import type { Redeemed } from '../tokens/token-reader'
import type { TokenSet } from '../tokens/token-set'
import type { ClientEvents, ClientStatus } from './events'
import { requireApplicationId, type ResolvedOptions } from './options'

/** How long a player may take, in ms. */
const AUTHORIZE_TIMEOUT = 300_000
const REDIRECT_TIMEOUT = 600_000
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
  /** A result that is there already, from `handleCallback`. */
  result?: AuthorizationResult
}

export class CoreClient extends EventEmitter<ClientEvents> {
  readonly #options: ResolvedOptions
  readonly #flow: AuthorizationFlow
  readonly #exchange: CodeExchange
  #desk: Promise<CallbackDesk> | undefined
  #applicationId: ApplicationId | undefined
  #session: Session | null = null
  #status: ClientStatus = 'disconnected'
  /** Grows whenever the player changes, so that a late answer can be told from a current one. */
  #epoch = 0
  #closed = false

  constructor(options: ResolvedOptions) {
    super()
    this.#options = options
    this.#applicationId = options.applicationId
    const log: Log = (level, step, data = {}) => this.#log({ level, step, data })
    const context = { ...options, log }
    this.#flow = new AuthorizationFlow({ ...context, maybeClosed: () => this.emit('maybeClosed', { at: options.clock.now() }) })
    this.#exchange = new CodeExchange(context)
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
    return this.#session
  }

  get status(): ClientStatus {
    return this.#status
  }

  /** The id that requests use unless their arguments name another. @throws ConfigurationError `invalid_argument`. */
  setApplicationId(applicationId: string | bigint): void {
    this.#applicationId = requireApplicationId(applicationId)
  }

  getApplicationId(): string | undefined {
    return this.#applicationId
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
    if (!surface) throw new ConfigurationError('unsupported', 'authorize without a surface')
    const limit = timeout ?? (surface.keep ? REDIRECT_TIMEOUT : AUTHORIZE_TIMEOUT)
    return this.#flow.authorize(args, { surface, timeout: limit, signal, applicationId: this.#applicationId })
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
    this.#desk ??= import('../authorization/callback-desk').then(
      ({ CallbackDesk }) => new CallbackDesk({ ...this.#options, flow: this.#flow }),
    )
    return (await this.#desk).take(url)
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
  async signIn({ args = { scopes: COMMUNICATION_SCOPES }, result, ...options }: SignInOptions = {}): Promise<Session> {
    if (!result && !OPENID.test(args.scopes ?? '')) throw (await import('../authorization/args-error')).argumentError(['scopes'])
    const epoch = this.#epoch
    if (!this.#session) this.#setStatus('connecting')
    try {
      // Nothing is awaited before this call: it is still the player's click.
      const authorized = result ?? (await this.authorize(args, options))
      const { session } = await this.#redeem(authorized, undefined, options.signal)
      if (!session || epoch !== this.#epoch) throw new SessionError('signed_out')
      return this.#setSession(session)
    } finally {
      this.#setStatus(this.#session ? 'ready' : 'disconnected')
    }
  }

  /** Forgets the session. Local, immediate, and always successful. */
  async signOut(): Promise<void> {
    this.#epoch += 1
    this.#setSession(null)
    this.#setStatus('disconnected')
  }

  /** Ends everything this client does. It leaves no timer, no listener and no window behind, and takes no further call. */
  close(): void {
    this.#closed = true
    this.#flow.abortAll()
    void this.signOut()
    this.removeAllListeners()
  }

  #requireOpen(): void {
    if (this.#closed) throw new ConfigurationError('closed', 'client')
  }

  async #redeem(result: AuthorizationResult, codeVerifier?: Secret | string, signal?: AbortSignal): Promise<Redeemed> {
    this.#requireOpen()
    return this.#exchange.redeem(result, { clientId: this.#applicationId, codeVerifier, signal })
  }

  #setSession<T extends Session | null>(session: T): T {
    const previous = this.#session
    this.#session = session
    if (previous !== session) this.emit('sessionChanged', { session, previous })
    return session
  }

  #setStatus(status: ClientStatus): void {
    const previous = this.#status
    this.#status = status
    if (previous !== status) this.emit('statusChanged', { status, previous })
  }

  #log(entry: LogEntry): void {
    this.#options.logger?.(entry)
    this.emit('log', entry)
  }
}
