/** Runs attempts to sign in: begins them, keeps them apart, and lets each end exactly once. No HTTP. */
import type { Clock } from '../foundation/clock'
import { AuthorizationError, ConfigurationError, FoyerError } from '../foundation/errors'
import { type ApplicationId, toApplicationId } from '../foundation/ids'
import type { Log } from '../foundation/log'
import type { ServiceProfile } from '../service/profile'
import type { AuthorizationArgsFields } from './args'
import { unsoundArguments } from './args-check'
import { type Callback, callbackState, judgeCallback, readCallback } from './callback'
import { PendingAttempt } from './pending'
import { type Attempt, beginAttempt, type CheckedArgs, customSchemeRedirectUri } from './request'
import { type AuthorizationResult, mintResult } from './result'
import type { AuthorizationSurface } from './surface'

/** Attempts that may wait at once; one more ends the oldest. */
const MAX_WAITING = 8
/** 128 bits in base64url: a state of the caller's own that is shorter may be guessed. */
const SAFE_STATE = 22

export interface FlowOptions {
  profile: ServiceProfile
  clock: Clock
  log: Log
  maybeClosed: () => void
}

export interface BeginOptions {
  surface: AuthorizationSurface
  applicationId: ApplicationId | undefined
  /** ms. */
  timeout: number
  signal?: AbortSignal | undefined
}

interface Waiting {
  attempt: Attempt
  pending: PendingAttempt
}

export class AuthorizationFlow {
  readonly #options: FlowOptions
  readonly #waiting = new Map<string, Waiting>()

  constructor(options: FlowOptions) {
    this.#options = options
  }

  /** Begins an attempt. Synchronous up to the surface's `open` when the redirect URI is known at once. */
  authorize(args: AuthorizationArgsFields, options: BeginOptions): Promise<AuthorizationResult> {
    const pending = new PendingAttempt(this.#options.clock, options)
    this.#run(args, options, pending).catch((error: unknown) => {
      // What a surface throws is its own affair; the caller gets one of our errors.
      pending.fail(error instanceof FoyerError ? error : new AuthorizationError('surface_failed', { cause: error }))
    })
    return pending.promise
  }

  /** Hands a callback to the attempt that waits for it, if one does. */
  answer(callback: Callback): Promise<AuthorizationResult> | undefined {
    const waiting = this.#waiting.get(callback.parameters.get('state') ?? '')
    return waiting && this.#answer(waiting, callback)
  }

  /** The result of a callback to an attempt. @throws AuthorizationError with the first check that fails. */
  async accept(callback: Callback, attempt: Attempt): Promise<AuthorizationResult> {
    const { code, error = '' } = judgeCallback(callback, attempt, this.#options.profile)
    if (!code) throw (await import('../foundation/refusal')).authorizeRefusal(error, callback.parameters.get('error_description'))
    this.#options.log('info', 'authorization.answered')
    return mintResult(code, attempt)
  }

  /** Ends every attempt as `aborted`. */
  abortAll(): void {
    for (const { pending } of this.#waiting.values()) pending.fail(new AuthorizationError('aborted'))
  }

  async #run(args: AuthorizationArgsFields, { surface, applicationId }: BeginOptions, pending: PendingAttempt): Promise<void> {
    const fields = unsoundArguments(args)
    if (args?.state && this.#waiting.has(args.state)) fields.push('state')
    if (fields.length > 0) throw (await import('./args-error')).argumentError(fields)
    const clientId = toApplicationId(args.clientId) ?? applicationId
    if (!clientId) throw new ConfigurationError('missing_application_id')
    const checked = { ...args, clientId, scopes: args.scopes ?? '' }
    const uri = checked.customSchemeParam ? undefined : surface.redirectUri?.()
    // Awaited only where it must be: the player's click does not survive an `await`.
    await this.#open({ ...checked, uri: typeof uri === 'object' ? await uri : uri }, surface, pending)
  }

  async #open(args: CheckedArgs & { uri: string | undefined }, surface: AuthorizationSurface, pending: PendingAttempt): Promise<void> {
    const { profile, clock, log, maybeClosed } = this.#options
    const { signal } = pending
    if (signal.aborted) return
    const { attempt, url } = beginAttempt(args, args.uri ?? customSchemeRedirectUri(profile, args), { profile, now: clock.now() })
    const { state, redirectUri, scopes } = attempt
    const waiting = { attempt, pending }
    this.#wait(state, waiting)
    if (state.length < SAFE_STATE) log('warn', 'authorization.weak_state')
    log('info', 'authorization.started', { redirectUri, scopes })
    surface.keep?.(attempt, signal)
    const answer = await surface.open(url, { state, signal, belongs: (other) => callbackState(other) === state, maybeClosed })
    await this.#answer(waiting, readCallback(answer))
  }

  #wait(state: string, waiting: Waiting): void {
    const [oldest] = this.#waiting.values()
    if (oldest && this.#waiting.size >= MAX_WAITING) oldest.pending.fail(new AuthorizationError('superseded'))
    this.#waiting.set(state, waiting)
    waiting.pending.signal.addEventListener('abort', () => this.#waiting.delete(state), { once: true })
  }

  #answer({ attempt, pending }: Waiting, callback: Callback): Promise<AuthorizationResult> {
    this.accept(callback, attempt).then(pending.succeed, pending.fail)
    return pending.promise
  }
}
