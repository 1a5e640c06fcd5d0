/** Client of an Electron app: runs in the main process, stores the tokens, and serves the windows. */
import type { EventEmitter } from 'eventemitter3'
import type { AuthorizationArgsFields } from '../../shared/authorization/authorization-args'
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import { CoreClient, type LobbyOptions } from '../../client/core-client'
import type { Lobby } from '../../client/lobbies/lobby'
import type { AuthorizeOptions, SignInOptions, ClientParts } from '../../client/sign-in/sign-in-client'
import type { ClientEvents } from '../../client/context/client-events'
import type { SignOutOptions, SignOutResult } from '../../client/sign-in/sessions'
import { AuthorizationError, FoyerError } from '../../shared/foundation/errors'
import { isEvent } from '../../shared/foundation/options'
import type { Log } from '../../shared/foundation/log-entry'
import { refuseExtraScopes } from '../../client/session/extra-scopes'
import type { Session } from '../../client/session/session'
import { splitScopes } from '../../shared/tokens/token-set'
import type { DeepLinks } from './install-deep-links'
import { MainDesktop } from './main-desktop'
import { isInvitationLink, type LinkNotice, readInvitationLink } from './recognize-deep-link'
import { serveWindows } from './serve-windows'
import type { CallbackMethod, SystemBrowser } from './system-browser'
import type { WindowRule } from './admission'

/** Default time in ms for a player to complete a sign-in. */
const AUTHORIZE_TIMEOUT = 300_000

interface Parts {
  browser: SystemBrowser
  roads: readonly CallbackMethod[]
  log: Log
  invitation: PendingInvitation
  /** Whether to talk to the service's program on this computer. */
  localProgram: 'on' | 'off'
}

/** Client of the main process; create it with `createMainClient`. Has all methods of `Client`, with the system browser for sign-ins. */
export class MainClient extends CoreClient {
  readonly #browser: SystemBrowser
  readonly #roads: readonly CallbackMethod[]
  readonly #log: Log
  readonly #refusesExtraScopes: boolean
  readonly #invitation: PendingInvitation
  readonly #brand: string
  readonly #inviteAddress: string | undefined
  readonly #undo: (() => void)[] = []
  /** The service's program on this computer; null without the option `localProgram`. */
  override readonly desktop: MainDesktop | null
  /** Pending sign-in. */
  #signingIn = new AbortController()
  /** Pending device sign-in. */
  #device = new AbortController()
  /** Completion of sign-ins that a previous run of the app started. */
  #completing: Promise<unknown> = Promise.resolve()

  /** @internal Use `createMainClient`. */
  constructor(options: ClientParts, { browser, roads, log, invitation, localProgram }: Parts) {
    let desktop: MainDesktop | null = null
    super(options, (context, player) => {
      if (localProgram === 'on') desktop = new MainDesktop(context, player)
    })
    this.desktop = desktop
    this.#browser = browser
    this.#roads = roads
    this.#log = log
    this.#refusesExtraScopes = options.refuseExtraScopes === true
    this.#invitation = invitation
    this.#brand = options.service.brand
    this.#inviteAddress = options.inviteAddress
  }

  /** @internal Starts listening for windows and deep links. */
  open({ scheme, windows }: { scheme: DeepLinks | undefined; windows: readonly WindowRule[] }): this {
    const served = { rules: windows, log: this.#log, inviteAddress: this.#inviteAddress }
    if (windows.length > 0) this.#undo.push(serveWindows(this, served))
    if (scheme) this.#undo.push(scheme.listen((link) => this.#receiveLink(link, scheme.scheme)))
    const stop = scheme?.listenToNotices?.((notice) => this.#report(notice))
    if (stop) this.#undo.push(stop)
    this.desktop?.open()
    return this
  }

  /**
   * Shows the authorize page in the system browser. Default `timeout`: 5 minutes. @throws The errors of `Client.authorize`, and
   * AuthorizationError `browser_unavailable`.
   */
  override authorize(
    args: AuthorizationArgsFields,
    options?: AuthorizeOptions,
  ): Promise<AuthorizationResult> {
    return super.authorize(args, { timeout: AUTHORIZE_TIMEOUT, ...options })
  }

  /**
   * Signs a player in with the system browser. Only one sign-in is pending at a time, across all windows: a new one rejects the previous
   * one with `superseded`, so that a player who closed the browser can start again.
   *
   * @throws The errors of `Client.signIn`, and AuthorizationError `superseded`, `browser_unavailable`.
   */
  override async signIn(given?: SignInOptions): Promise<Session> {
    const options = isEvent(given) ? {} : { ...given }
    if (options.result) return super.signIn(options)
    this.#signingIn.abort()
    const { signal } = (this.#signingIn = new AbortController())
    const bounded = {
      ...options,
      signal: options.signal ? AbortSignal.any([signal, options.signal]) : signal,
    }
    try {
      return await super.signIn(bounded).catch((error: unknown) => this.#fallBack(error, bounded))
    } catch (error) {
      throw signal.aborted ? new AuthorizationError('superseded') : error
    }
  }

  /** Rejects every pending `authorize` and device sign-in with `aborted`. */
  override abortAuthorize(): void {
    super.abortAuthorize()
    this.#endDevice()
  }

  /** Signs out all windows, and aborts a pending device sign-in. See `Client.signOut`. */
  override async signOut(options?: SignOutOptions): Promise<SignOutResult> {
    this.#endDevice()
    return super.signOut(options)
  }

  /** @internal */
  override emit<Name extends keyof ClientEvents>(
    event: Name,
    ...args: EventEmitter.EventArgs<ClientEvents, Name>
  ): void {
    super.emit(event, ...args)
  }

  /** Completes a sign-in with a pasted URL: the address at which the browser ended. Resolves with null without a URL. */
  override async handleCallback(url?: string): Promise<AuthorizationResult | null> {
    return url === undefined ? null : super.handleCallback(url.trim())
  }

  /**
   * Restores the session of the token store. If a callback link started the app, first completes the sign-in of the previous run.
   * Idempotent. Resolves with null if there is no session.
   */
  override async resume(): Promise<Session | null> {
    await this.#completing
    return super.resume()
  }

  /** Closes the client, stops serving windows, and closes loopback servers. Later calls reject with `closed`. */
  override close(): void {
    // Windows must still receive the final state.
    super.close()
    for (const undo of this.#undo.splice(0)) undo()
    this.#browser.close()
  }

  /** Falls back to a device sign-in if no browser opened, or none could send a callback. */
  #fallBack(error: unknown, options: SignInOptions & { signal: AbortSignal }): Promise<Session> {
    const isClosed = error instanceof AuthorizationError && error.code === 'browser_unavailable'
    if (isClosed && this.#roads.includes('device')) return this.#signInByDevice(options)
    throw error
  }

  /** Listeners of `browserUnavailable` show the code. */
  async #signInByDevice({
    args,
    scopes: given,
    signal,
  }: SignInOptions & { signal: AbortSignal }): Promise<Session> {
    const { scopes = given ?? CoreClient.getDefaultCommunicationScopes(), clientId } = args ?? {}
    const tokens = await this.accounts.getTokenFromDevice(
      { scopes, ...(clientId !== undefined && { clientId }) },
      {
        signal: AbortSignal.any([signal, this.#device.signal]),
        onUserCode: ({ verificationUri: url, userCode, expiresAt }) =>
          this.emit('browserUnavailable', { url, userCode, expiresAt }),
      },
    )
    if (this.#refusesExtraScopes) refuseExtraScopes(tokens.scopes, splitScopes(scopes))
    return this.updateToken(tokens)
  }

  #endDevice(): void {
    this.#device.abort()
    this.#device = new AbortController()
  }

  /** An invitation that is used by its lobby's secret is not taken again. */
  override async createOrJoinLobby(secret: string, options?: LobbyOptions): Promise<Lobby> {
    const lobby = await super.createOrJoinLobby(secret, options)
    this.#invitation.forget(secret)
    return lobby
  }

  #receiveLink(link: string, scheme: string): void {
    if (isInvitationLink(link, scheme)) this.#receiveInvitation(link)
    else if (!this.#browser.deliver(link))
      this.#completing = this.#completing.then(() => this.#complete(link))
  }

  /** Any program can send such a link, so nothing of it is logged. */
  #report(notice: LinkNotice): void {
    if (notice === 'launched') this.#log('info', 'link.launched')
    else this.#log('warn', 'link.malformed', { form: notice })
  }

  /** Joins nothing: the game decides. */
  #receiveInvitation(link: string): void {
    const secret = readInvitationLink(link, this.#brand)
    if (secret === undefined) return this.#log('warn', 'link.refused', { code: 'invalid_argument' })
    this.#invitation.receive(secret)
    this.emit('activityJoin', { secret })
  }

  /** Failures are only logged, because any program can send a link. */
  async #complete(link: string): Promise<void> {
    try {
      const result = await this.handleCallback(link)
      if (result) await this.signIn({ result })
    } catch (error) {
      this.#log('warn', 'link.refused', { code: error instanceof FoyerError ? error.code : 'unknown' })
    }
  }
}

export class PendingInvitation {
  #secret: string | undefined

  /** The latest one counts. */
  receive(secret: string): void {
    this.#secret = secret
  }

  /** Returns the secret once. */
  take(): string | undefined {
    const secret = this.#secret
    this.#secret = undefined
    return secret
  }

  /** The player is in the lobby of this secret. */
  forget(secret: string): void {
    if (this.#secret === secret) this.#secret = undefined
  }
}
