/** Runs attempts to sign in: begins them, keeps them apart, and lets each end exactly once. No HTTP. */
import type { Clock } from '../foundation/clock'
import { AuthorizationError, FoyerError, ValidationError } from '../foundation/errors'
import type { ApplicationId } from '../foundation/ids'
import type { Log } from '../foundation/log'
import type { ServiceProfile } from '../service/profile'
import type { AuthorizationArgsFields } from './args'
import { ATTEMPT_LIFETIME, type AttemptStore, parseAttempt, serializeAttempt } from './attempt-store'
import { type Callback, callbackState, judgeCallback, readCallback } from './callback'
import { aborted, PendingAttempt } from './pending'
import { type Attempt, beginAttempt, type CheckedArgs, checkArgs, customSchemeRedirectUri } from './request'
import { type AuthorizationResult, mintResult } from './result'
import type { AuthorizationSurface } from './surface'

/** Attempts that may wait at once; one more ends the oldest. */
const MAX_PENDING = 8
/** 128 bits in base64url: a state of the caller's own that is shorter may be guessed. */
const SAFE_STATE = 22
/** How long an answered callback gives the same result again, in ms: pages run their start-up code twice. */
const REPLAY_WINDOW = 60_000

export interface FlowOptions {
  profile: ServiceProfile
  clock: Clock
  log: Log
  attempts: AttemptStore
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
  readonly #answered = new Map<string, { result: Promise<AuthorizationResult>; forget: () => void }>()

  constructor(options: FlowOptions) {
    this.#options = options
  }

  /** Begins an attempt. Synchronous up to the surface's `open` when the redirect URI is known at once. */
  authorize(args: AuthorizationArgsFields, options: BeginOptions): Promise<AuthorizationResult> {
    const pending = new PendingAttempt({ ...options, clock: this.#options.clock })
    try {
      const checked = checkArgs(args, options.applicationId)
      const redirectUri = checked.customSchemeParam ? undefined : options.surface.redirectUri?.()
      const begin = (uri?: string) => this.#begin(checked, { uri, pending, surface: options.surface })
      if (typeof redirectUri === 'object') redirectUri.then(begin).catch((error: unknown) => pending.fail(surfaceFailure(error)))
      else begin(redirectUri)
    } catch (error) {
      pending.fail(surfaceFailure(error))
    }
    return pending.promise
  }

  /**
   * Takes a callback URL that reached the game by itself: after a full-page redirect, or as a deep link.
   * One that belongs to no attempt is refused and disturbs none.
   */
  async handleCallback(url: string): Promise<AuthorizationResult> {
    const callback = readCallback(url)
    const state = callback.parameters.get('state') ?? ''
    const answered = this.#answered.get(state)
    if (answered) return answered.result
    const waiting = this.#waiting.get(state)
    if (waiting) {
      this.#answer(waiting, callback)
      return waiting.pending.promise
    }
    const result = this.#resumeStored(state, callback)
    this.#remember(state, result)
    return result
  }

  /** Ends every attempt as `aborted`. */
  abortAll(): void {
    for (const { pending } of this.#waiting.values()) pending.fail(aborted())
  }

  /** Ends every attempt and forgets every answer: nothing is left, no timer and no listener. */
  close(): void {
    this.abortAll()
    for (const { forget } of this.#answered.values()) forget()
  }

  #begin(
    checked: CheckedArgs,
    { uri, pending, surface }: { uri: string | undefined; pending: PendingAttempt; surface: AuthorizationSurface },
  ): void {
    if (pending.signal.aborted) return
    const { profile, clock } = this.#options
    const { attempt, url } = beginAttempt({ profile, now: clock.now() }, checked, uri ?? customSchemeRedirectUri(profile, checked))
    if (this.#waiting.has(attempt.state)) throw duplicateState()
    const waiting = this.#wait({ attempt, pending })
    if (surface.leavesPage) this.#options.attempts.save(attempt.state, serializeAttempt(attempt))
    if (attempt.state.length < SAFE_STATE) this.#options.log('warn', 'authorization.weak_state')
    this.#options.log('info', 'authorization.started', { redirectUri: attempt.redirectUri, scopes: attempt.scopes })
    this.#open(surface, { url, waiting })
  }

  #open(surface: AuthorizationSurface, { url, waiting }: { url: string; waiting: Waiting }): void {
    const { attempt, pending } = waiting
    const options = {
      signal: pending.signal,
      belongs: (answer: string) => callbackState(answer) === attempt.state,
      maybeClosed: () => this.#options.maybeClosed(),
    }
    surface
      .open(url, options)
      .then((answer) => this.#answer(waiting, readCallback(answer)))
      .catch((error: unknown) => pending.fail(surfaceFailure(error)))
  }

  #wait(waiting: Waiting): Waiting {
    const { state } = waiting.attempt
    const [oldest] = this.#waiting.values()
    if (oldest && this.#waiting.size >= MAX_PENDING) oldest.pending.fail(superseded())
    this.#waiting.set(state, waiting)
    const forget = () => {
      this.#options.attempts.take(state)
      this.#waiting.delete(state)
    }
    waiting.pending.signal.addEventListener('abort', forget, { once: true })
    return waiting
  }

  #answer({ attempt, pending }: Waiting, callback: Callback): void {
    try {
      pending.succeed(this.#accept(callback, attempt))
      this.#remember(attempt.state, pending.promise)
    } catch (error) {
      pending.fail(error)
    }
  }

  #accept(callback: Callback, attempt: Attempt): AuthorizationResult {
    const code = judgeCallback(callback, attempt, this.#options.profile)
    this.#options.log('info', 'authorization.answered', { checked: 'redirect_uri, state, iss, error, response_type, code' })
    return mintResult(code, attempt)
  }

  async #resumeStored(state: string, callback: Callback): Promise<AuthorizationResult> {
    const record = state && this.#options.attempts.take(state)
    const attempt = record ? parseAttempt(record) : undefined
    if (!attempt)
      throw new AuthorizationError(
        'state_mismatch',
        'No attempt of this game waits for this answer: it was used, has expired, or was begun elsewhere.',
      )
    if (this.#options.clock.now() - attempt.begun > ATTEMPT_LIFETIME) throw new AuthorizationError('timed_out', 'The answer came too late.')
    return this.#accept(callback, attempt)
  }

  #remember(state: string, result: Promise<AuthorizationResult>): void {
    const cancel = this.#options.clock.after(REPLAY_WINDOW, () => this.#answered.delete(state))
    const forget = () => {
      cancel()
      this.#answered.delete(state)
    }
    // A refusal is not an answer: the real one may still come.
    result.catch(forget)
    this.#answered.set(state, { result, forget })
  }
}

/** What a surface throws is its own affair; the caller gets one of our errors. */
function surfaceFailure(error: unknown): FoyerError {
  if (error instanceof FoyerError) return error
  return new AuthorizationError('surface_failed', 'The surface could not show the authorize page.', { cause: error })
}

function superseded(): AuthorizationError {
  return new AuthorizationError('superseded', `More than ${MAX_PENDING} attempts were waiting; this was the oldest.`)
}

function duplicateState(): ValidationError {
  const message = 'another attempt with this state is waiting'
  return new ValidationError('invalid_argument', [{ path: 'state', code: 'duplicate_state', message, params: {}, level: 'error' }])
}
