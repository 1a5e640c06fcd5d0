/** Runs sign-ins with the SDK: one at a time, cancellable, told step by step. */
import type { AuthorizationResult, AuthorizationSurface, Client, ClientOptions, Secret, Session, TokenSet } from 'foyer-sdk'
import { Store } from '../store'
import { type ArgumentsForm, type Mode, toArgs, toSurface, toTimeout } from './arguments-form'
import type { Connection } from './service-settings'
import type { SignInSteps } from './sign-in-steps'

export interface Progress {
  phase: 'idle' | 'waiting' | 'redeeming' | 'signed-in' | 'failed'
  mode: Mode
  /** Epoch ms when the SDK stops waiting; while it waits. */
  endsAt?: number
  /** The SDK had a hint that the player closed the window. */
  maybeClosed?: boolean
  /** The answer goes to a program, not to this page. */
  elsewhere?: boolean
  error?: unknown
}

/** A player with tokens: the client's session, or what `getToken` gave for a proof key of one's own. */
export interface Player extends Pick<Session, 'tokens' | 'grantedScopes' | 'missingScopes'> {
  userId: string
  /** Whether the client holds it as its session. */
  held: boolean
}

/** What a finished sign-in leaves for experiments. In memory only. */
export interface Answered {
  client: Client
  /** What the client was made from, without its store. */
  options: ClientOptions
  result: AuthorizationResult
  verifier?: Secret | undefined
  callbackUrl?: string | undefined
}

const POPUP_TIMEOUT = 300_000
const REDIRECT_TIMEOUT = 600_000

export class SignIn {
  readonly progress = new Store<Progress>({ phase: 'idle', mode: 'popup' })
  readonly player = new Store<Player | null>(null)
  readonly #steps: SignInSteps
  #connection: Connection | undefined
  #running: AbortController | undefined
  #answered: Answered | undefined

  constructor(steps: SignInSteps) {
    this.#steps = steps
  }

  get answered(): Answered | undefined {
    return this.#answered
  }

  get busy(): boolean {
    return this.#running !== undefined
  }

  /** Takes another client; the one before it ends with everything it holds. */
  use(connection: Connection): void {
    this.#connection?.client?.close()
    this.#connection = connection
    this.#answered = undefined
    this.player.set(null)
    this.progress.set({ phase: 'idle', mode: this.progress.value.mode })
    const { client } = connection
    client?.subscribe('log', (entry) => {
      // A renewal is no step of a sign-in.
      const isRenewal = entry.step.startsWith('session.') || (entry.step === 'id_token.verified' && !this.busy)
      if (!isRenewal) this.#steps.record(entry)
    })
    client?.subscribe('sessionChanged', ({ session }) => this.#hold(session))
    client?.subscribe('tokenRefreshed', ({ session }) => this.#hold(session))
    client?.subscribe('maybeClosed', () => this.progress.set({ ...this.progress.value, maybeClosed: true }))
  }

  #hold(session: Session | null): void {
    this.player.set(session && { ...session, held: true })
    const { phase, mode } = this.progress.value
    if (session && phase === 'idle') this.progress.set({ phase: 'signed-in', mode })
    if (!session && phase === 'signed-in') this.progress.set({ phase: 'idle', mode })
  }

  /** Call it inside the player's click or key press. */
  start(form: ArgumentsForm): void {
    const connection = this.#connection
    if (!connection?.client || this.#running) return
    const running = this.#begin()
    const { signal } = running
    const timeout = toTimeout(form) ?? (form.mode === 'redirect' ? REDIRECT_TIMEOUT : POPUP_TIMEOUT)
    const waiting = { endsAt: Date.now() + timeout, elsewhere: form.customSchemeParam !== '' }
    this.progress.set({ phase: 'waiting', mode: form.mode, ...waiting })
    const heard: { url?: string } = {}
    const surface = listening(toSurface(form, connection.options), (url) => (heard.url = url))
    const { client } = connection
    // In an Activity the host window asks, as soon as it has shaken hands.
    const authorized = client.getActivityLaunch()
      ? client.connectActivity({ signal }).then(() => client.authorize(toArgs(form), { timeout, signal }))
      : client.authorize(toArgs(form), { surface, timeout, signal })
    const answered = authorized.then((result) => ({ ...connection, result, verifier: form.ownPair?.verifier, callbackUrl: heard.url }))
    void this.#finish(answered, running)
  }

  /** Tells why there will be no attempt. */
  refuse(error: unknown, mode: Mode): void {
    if (this.busy) return
    this.#steps.begin()
    this.#steps.fail(error)
    this.progress.set({ phase: 'failed', mode, error })
  }

  /** When the page starts: completes a sign-in by redirect that has just come back. */
  async resume(): Promise<void> {
    const connection = this.#connection
    if (!connection?.client) return
    const { client, options } = connection
    const { href } = location
    this.#steps.restore()
    const authorized = client.handleCallback()
    // The bar was cleaned just now if an answer stood in it.
    if (href === location.href) return this.#steps.begin()
    const running = this.#begin({ again: true })
    this.progress.set({ phase: 'redeeming', mode: 'redirect' })
    const answered = authorized.then((result) => result && { client, options, result, callbackUrl: href })
    await this.#finish(answered, running)
  }

  cancel(): void {
    this.#running?.abort()
  }

  /** Takes a callback URL that arrived elsewhere, for the attempt that waits. Rejects as `handleCallback` does. */
  async takeCallback(url: string): Promise<void> {
    await this.#connection?.client?.handleCallback(url)
  }

  async signOut(): Promise<void> {
    await this.#connection?.client?.signOut()
    this.#answered = undefined
    this.player.set(null)
    this.progress.set({ phase: 'idle', mode: this.progress.value.mode })
  }

  #begin({ again = false } = {}): AbortController {
    if (!again) this.#steps.begin()
    this.#running = new AbortController()
    return this.#running
  }

  async #finish(answered: Promise<Answered | null>, running: AbortController): Promise<void> {
    const { mode } = this.progress.value
    const outcome = await this.#redeem(answered, running.signal).catch((error: unknown): Progress => {
      this.#steps.fail(error)
      return { phase: 'failed', mode, error }
    })
    if (this.#running !== running) return
    this.#running = undefined
    this.progress.set(outcome)
  }

  async #redeem(answered: Promise<Answered | null>, signal: AbortSignal): Promise<Progress> {
    const { mode } = this.progress.value
    const answer = await answered
    if (!answer) return { phase: 'idle', mode }
    const { client, result, verifier } = answer
    this.progress.set({ phase: 'redeeming', mode })
    // A verifier of one's own can only go to getToken, which leaves the client's session alone.
    if (verifier) this.player.set(unheld(await client.getToken(result, verifier, { signal })))
    else await client.signIn({ result, signal })
    this.#answered = answer
    return { phase: 'signed-in', mode }
  }
}

function unheld(tokens: TokenSet): Player {
  return { userId: tokens.claims?.sub ?? '', tokens, grantedScopes: tokens.scopes, missingScopes: [], held: false }
}

/** The same surface, with an ear for the callback URL. */
function listening(surface: AuthorizationSurface, hear: (url: string) => void): AuthorizationSurface {
  return {
    ...surface,
    open: async (url, options) => {
      const answer = await surface.open(url, options)
      hear(answer)
      return answer
    },
  }
}
