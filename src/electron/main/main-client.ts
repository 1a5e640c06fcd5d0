/** The `Client` of an Electron app: it lives in the main process with its tokens, and its windows come to it. */
import type { AuthorizationArgsFields } from '../../authorization/args'
import type { AuthorizationResult } from '../../authorization/result'
import { type AuthorizeOptions, CoreClient, type SignInOptions } from '../../client/client'
import type { ClientParts } from '../../client/context'
import type { SignOutOptions, SignOutResult } from '../../client/session-api'
import { AuthorizationError, FoyerError } from '../../foundation/errors'
import type { Log } from '../../foundation/log'
import { refuseExtraScopes } from '../../tokens/scopes'
import type { Session } from '../../tokens/session/session'
import { splitScopes } from '../../tokens/token-set'
import type { DeepLinks } from './deep-links'
import { serveWindows } from './ipc-server'
import type { CallbackMethod, SystemBrowser } from './system-browser'
import type { WindowRule } from './windows'

/** How long a player may take, in ms. */
const AUTHORIZE_TIMEOUT = 300_000

interface Parts {
  browser: SystemBrowser
  roads: readonly CallbackMethod[]
  log: Log
}

/** The client of a main process. */
export class MainClient extends CoreClient {
  readonly #browser: SystemBrowser
  readonly #roads: readonly CallbackMethod[]
  readonly #log: Log
  readonly #refusesExtraScopes: boolean
  readonly #undo: (() => void)[] = []
  /** The sign-in that waits. */
  #signingIn = new AbortController()
  /** The short code that is shown. */
  #device = new AbortController()
  /** Links of sign-ins that a start before this one began. */
  #arriving: Promise<unknown> = Promise.resolve()

  /** @internal Made by `createMainClient`. */
  constructor(options: ClientParts, { browser, roads, log }: Parts) {
    super(options)
    this.#browser = browser
    this.#roads = roads
    this.#log = log
    this.#refusesExtraScopes = options.refuseExtraScopes === true
  }

  /** @internal Begins to listen. */
  open({ scheme, windows }: { scheme: DeepLinks | undefined; windows: readonly WindowRule[] }): this {
    if (windows.length > 0) this.#undo.push(serveWindows(this, windows))
    if (scheme) this.#undo.push(scheme.listen((link) => this.#arrive(link)))
    return this
  }

  override authorize(args: AuthorizationArgsFields, options?: AuthorizeOptions): Promise<AuthorizationResult> {
    return super.authorize(args, { timeout: AUTHORIZE_TIMEOUT, ...options })
  }

  /**
   * Signs a player in with the system browser. One sign-in waits at a time, whichever window began it: a new one ends the old as
   * `superseded`, so that a player who has closed the browser starts over with the same button.
   * @throws what `Client.signIn` throws, and AuthorizationError `superseded`, `browser_unavailable`.
   */
  override async signIn(given?: SignInOptions): Promise<Session> {
    const options = { ...given }
    if (options.result) return super.signIn(options)
    this.#signingIn.abort()
    const { signal } = (this.#signingIn = new AbortController())
    const bounded = { ...options, signal: options.signal ? AbortSignal.any([signal, options.signal]) : signal }
    try {
      return await super.signIn(bounded).catch((error: unknown) => this.#goOn(error, bounded))
    } catch (error) {
      throw signal.aborted ? new AuthorizationError('superseded') : error
    }
  }

  override abortAuthorize(): void {
    super.abortAuthorize()
    this.#endDevice()
  }

  override async signOut(options?: SignOutOptions): Promise<SignOutResult> {
    this.#endDevice()
    return super.signOut(options)
  }

  /** Takes what the player has pasted: the address that the browser ended on. */
  override async handleCallback(url?: string): Promise<AuthorizationResult | null> {
    return url === undefined ? null : super.handleCallback(url.trim())
  }

  /**
   * Brings the session of the vault back. If this start of the app was the answer to a sign-in that an earlier one began, that is completed
   * first. Idempotent.
   */
  override async resume(): Promise<Session | null> {
    await this.#arriving
    return super.resume()
  }

  override close(): void {
    // Windows are still told that nobody is signed in any more.
    super.close()
    for (const undo of this.#undo.splice(0)) undo()
    this.#browser.close()
  }

  /** The last road: where no browser opened, or no answer could come back from one. */
  #goOn(error: unknown, options: SignInOptions & { signal: AbortSignal }): Promise<Session> {
    const isClosed = error instanceof AuthorizationError && error.code === 'browser_unavailable'
    if (isClosed && this.#roads.includes('device')) return this.#signInByDevice(options)
    throw error
  }

  /** The code is shown by whoever hears `browserUnavailable`. */
  async #signInByDevice({ args, signal }: SignInOptions & { signal: AbortSignal }): Promise<Session> {
    const { scopes = CoreClient.getDefaultCommunicationScopes(), clientId } = args ?? {}
    const tokens = await this.getTokenFromDevice(
      { scopes, ...(clientId !== undefined && { clientId }) },
      {
        signal: AbortSignal.any([signal, this.#device.signal]),
        onUserCode: ({ verificationUri: url, userCode, expiresAt }) => this.emit('browserUnavailable', { url, userCode, expiresAt }),
      },
    )
    if (this.#refusesExtraScopes) refuseExtraScopes(tokens.scopes, splitScopes(scopes))
    return this.updateToken('Bearer', tokens)
  }

  #endDevice(): void {
    this.#device.abort()
    this.#device = new AbortController()
  }

  #arrive(link: string): void {
    if (!this.#browser.deliver(link)) this.#arriving = this.#arriving.then(() => this.#complete(link))
  }

  /** Nobody waits for it, so nobody is told that it failed: anyone can send a link. */
  async #complete(link: string): Promise<void> {
    try {
      const result = await this.handleCallback(link)
      if (result) await this.signIn({ result })
    } catch (error) {
      this.#log('warn', 'link.refused', { code: error instanceof FoyerError ? error.code : 'unknown' })
    }
  }
}
