/** Runs sign-ins with the SDK: one at a time, cancellable, with a log of its steps. */
import { signal } from '@preact/signals'
import type {
  AuthorizationResult,
  AuthorizationSurface,
  Client,
  ClientOptions,
  CurrentUser,
  Secret,
  Session,
  TokenSet,
} from 'foyer-sdk'
import { decodeToken } from '../exchanges/decode-token'
import type { ExchangeRecorder } from '../exchanges/exchange-recorder'
import { EnteredCallback } from './to-surface'
import { type ArgumentsForm, type Mode, toArgs, toTimeout } from './arguments-form'
import { LeftWindow, allChanges, prepareEmulator, prepareSurface } from './prepare-surface'
import { explain } from './explain'
import type { RequestChange } from './request-changes'
import type { Connection } from './connection'
import { claimTexts, type Run, type Runs } from './runs'

export interface Progress {
  phase: 'idle' | 'waiting' | 'redeeming' | 'signed-in' | 'failed'
  /** `emulator`: the emulator approves by itself, without a window. */
  mode: Mode | 'emulator'
  /** Epoch ms at which the SDK stops waiting; set while it waits. */
  endsAt?: number
  /** Set when the SDK suspects that the player closed the window. */
  maybeClosed?: boolean
  /** Set if the callback goes to another program instead of this page. */
  elsewhere?: boolean
  /** Changes that the tester made to the request. */
  changes?: readonly RequestChange[]
  /** Set if the window of the failed attempt is still open. */
  isWindowLeft?: boolean
  error?: unknown
}

/** A player with tokens: the client's session, or the result of `getToken` for a PKCE pair made by the page. */
export interface Player extends Pick<Session, 'tokens' | 'grantedScopes' | 'missingScopes' | 'user'> {
  userId: string
  /** True if this is the client's session. */
  held: boolean
}

/** Data of a finished sign-in, for the experiments. In memory only. */
export interface FinishedSignIn {
  client: Client
  /** Options of the client, without its store. */
  options: ClientOptions
  result: AuthorizationResult
  verifier?: Secret | undefined
  callbackUrl?: string | undefined
}

const POPUP_TIMEOUT = 300_000
const REDIRECT_TIMEOUT = 600_000

export class SignIn {
  readonly progress = signal<Progress>({ phase: 'idle', mode: 'popup' })
  readonly player = signal<Player | null>(null)
  /** Attempt whose callback is entered by hand. */
  readonly entered = new EnteredCallback()
  readonly #window = new LeftWindow()
  readonly #runs: Runs
  readonly #exchanges: ExchangeRecorder
  #connection: Connection | undefined
  readonly #running = signal<AbortController | undefined>(undefined)
  #answered: FinishedSignIn | undefined

  constructor(runs: Runs, exchanges: ExchangeRecorder) {
    this.#runs = runs
    this.#exchanges = exchanges
    exchanges.run = runs.current?.id
  }

  get answered(): FinishedSignIn | undefined {
    return this.#answered
  }

  get busy(): boolean {
    return this.#running.value !== undefined
  }

  /** Replaces the client and closes the previous one. */
  use(connection: Connection): void {
    this.#connection?.client?.close()
    this.#connection = connection
    this.#answered = undefined
    this.player.value = null
    this.progress.value = { phase: 'idle', mode: this.progress.value.mode }
    const { client } = connection
    client?.on('log', (entry) => {
      this.#exchanges.recordChecks(entry)
      // A refresh is no step of a sign-in, and a device code has a panel of its own.
      const isRenewal =
        /^(session|device)\./.test(entry.step) || (entry.step === 'id_token.verified' && !this.busy)
      if (!isRenewal) this.#runs.record(entry)
    })
    client?.on('sessionChanged', ({ session }) => this.#hold(session))
    client?.on('tokenRefreshed', ({ session }) => this.#hold(session))
    client?.on('maybeClosed', () => (this.progress.value = { ...this.progress.value, maybeClosed: true }))
  }

  #hold(session: Session | null): void {
    this.player.value = session && { ...session, held: true }
    const { phase, mode } = this.progress.value
    if (session && phase === 'idle') this.progress.value = { phase: 'signed-in', mode }
    if (!session && phase === 'signed-in') this.progress.value = { phase: 'idle', mode }
  }

  /**
   * Starts a sign-in. Call it inside the player's click or key press.
   *
   * @param emulator approves by itself, instead of the player in a window.
   */
  start(form: ArgumentsForm, emulator?: AuthorizationSurface): void {
    const connection = this.#connection
    if (!connection?.client || this.#running.value) return
    const mode = emulator ? 'emulator' : form.mode
    const running = this.#begin({ mode, changes: emulator ? [] : allChanges(form, connection) })
    const { signal: aborted } = running
    const timeout = toTimeout(form) ?? (form.mode === 'redirect' ? REDIRECT_TIMEOUT : POPUP_TIMEOUT)
    const parts = {
      exchanges: this.#exchanges,
      entered: this.entered,
      window: this.#window,
      cancelled: aborted,
    }
    const prepared = emulator
      ? prepareEmulator(emulator, this.#exchanges)
      : prepareSurface(form, connection, parts)
    const { surface, changes, isEntered, captured } = prepared
    const waiting = { endsAt: Date.now() + timeout, elsewhere: isEntered, changes }
    this.progress.value = { phase: 'waiting', mode, ...waiting }
    const { client } = connection
    // In an Activity the host window prompts the player once the handshake is complete.
    const authorize = () =>
      client.activity.launch
        ? client.activity
            .connect({ signal: aborted })
            .then(() => client.authorize(toArgs(form), { timeout, signal: aborted }))
        : client.authorize(toArgs(form), { surface, timeout, signal: aborted })
    const recorded = this.#exchanges.recordCall('authorize()', authorize, () => 'AuthorizationResult')
    const answered = recorded.then((result) => ({
      ...connection,
      result,
      verifier: form.ownPair?.verifier,
      callbackUrl: captured.url,
    }))
    void this.#finish(answered, running)
  }

  /** Shows the error that prevents an attempt. */
  refuse(error: unknown, mode: Mode): void {
    if (this.busy) return
    this.#exchanges.run = this.#runs.begin({ mode })
    this.#runs.fail(error)
    this.#runs.end({ outcome: explain(error).code, isFailed: true })
    this.progress.value = { phase: 'failed', mode, error }
  }

  /** Completes a sign-in by redirect. Call it when the page starts. */
  async resume(): Promise<void> {
    const connection = this.#connection
    if (!connection?.client) return
    const { client, options } = connection
    const { href } = location
    const authorized = client.handleCallback()
    // `resume` has just removed a callback from the address bar, if there was one.
    if (href === location.href) return this.#runs.end({ outcome: 'left', isFailed: true })
    const running = this.#resume()
    this.#exchanges.addCallback(href)
    this.progress.value = { phase: 'redeeming', mode: 'redirect' }
    const recorded = this.#exchanges.recordCall(
      'handleCallback()',
      () => authorized,
      () => 'AuthorizationResult',
    )
    const answered = recorded.then((result) => result && { client, options, result, callbackUrl: href })
    await this.#finish(answered, running)
  }

  cancel(): void {
    this.#running.value?.abort()
  }

  /** Passes a callback URL that arrived elsewhere to the pending attempt. Rejects as `handleCallback` does if it belongs to no attempt. */
  async takeCallback(url: string): Promise<void> {
    if (!this.entered.enter(url)) await this.#connection?.client?.handleCallback(url)
  }

  async signOut(): Promise<void> {
    await this.#connection?.client?.signOut()
    this.#answered = undefined
    this.player.value = null
    this.progress.value = { phase: 'idle', mode: this.progress.value.mode }
  }

  #begin(run: Pick<Run, 'mode' | 'changes'>): AbortController {
    this.#exchanges.run = this.#runs.begin(run)
    this.#window.close()
    this.#running.value = new AbortController()
    return this.#running.value
  }

  /** Goes on with the run that left the page. */
  #resume(): AbortController {
    const { current } = this.#runs
    if (!current || current.endedAt !== undefined) return this.#begin({ mode: 'redirect', changes: [] })
    this.#running.value = new AbortController()
    return this.#running.value
  }

  async #finish(answered: Promise<FinishedSignIn | null>, running: AbortController): Promise<void> {
    const { mode, changes = [] } = this.progress.value
    const outcome = await this.#redeem(answered, running.signal).catch((error: unknown): Progress => {
      this.#runs.fail(error)
      return { phase: 'failed', mode, error, changes, isWindowLeft: this.#window.isOpen }
    })
    if (this.#running.value !== running) return
    this.#running.value = undefined
    this.#runs.end(this.#resultOf(outcome))
    this.progress.value = outcome
  }

  #resultOf({ phase, error }: Progress): Parameters<Runs['end']>[0] {
    if (phase === 'failed')
      return { outcome: explain(error).code, isFailed: true, claims: this.#refusedClaims() }
    if (phase === 'idle') return { outcome: 'no callback', isFailed: true }
    const { user, userId = '', tokens } = this.player.value ?? {}
    const player = user?.displayName ?? user?.username ?? userId
    return { outcome: 'signed in', isFailed: false, player, claims: claimTexts({ ...tokens?.claims }) }
  }

  /** A token that was refused has claims too, which say why. */
  #refusedClaims(): Run['claims'] {
    const id = this.#runs.current?.id
    const answered = this.#exchanges.list.value.findLast(
      ({ kind, run, sender, url }) =>
        kind === 'request' && run === id && sender === undefined && url.endsWith('/token'),
    )
    const token = answered?.response?.body.find(({ name }) => name === 'id_token')?.value ?? ''
    return claimTexts(decodeToken(token)?.claims ?? {})
  }

  async #redeem(answered: Promise<FinishedSignIn | null>, aborted: AbortSignal): Promise<Progress> {
    const { mode } = this.progress.value
    const answer = await answered
    if (!answer) return { phase: 'idle', mode }
    const { client, result, verifier } = answer
    this.progress.value = { ...this.progress.value, phase: 'redeeming' }
    // A verifier made by the page works only with `getToken`, which does not change the client's session.
    const exchanges = this.#exchanges
    if (verifier) {
      const redeem = () => client.getToken(result, verifier, { signal: aborted })
      const tokens = await exchanges.recordCall('getToken()', redeem, () => 'TokenSet')
      // Tokens without the scope for it do not name their player.
      const user = await client
        .fetchCurrentUser({ accessToken: tokens.accessToken, signal: aborted })
        .catch(() => undefined)
      this.player.value = unheld(tokens, user)
    } else
      await exchanges.recordCall(
        'signIn({ result })',
        () => client.signIn({ result, signal: aborted }),
        () => 'Session',
      )
    this.#answered = answer
    return { phase: 'signed-in', mode }
  }
}

function unheld(tokens: TokenSet, named: CurrentUser | undefined): Player {
  const user = named
    ? {
        username: named.username,
        displayName: named.globalName ?? named.username,
        avatarUrl: named.avatarUrl,
      }
    : {}
  const userId = tokens.claims?.sub ?? named?.id ?? ''
  return { userId, user, tokens, grantedScopes: tokens.scopes, missingScopes: [], held: false }
}
