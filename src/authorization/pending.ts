/** One attempt in flight: a promise that settles exactly once, whoever is first, and leaves nothing behind. */
import type { Clock } from '../foundation/clock'
import { startDeadline } from '../foundation/deadline'
import { AuthorizationError } from '../foundation/errors'
import type { AuthorizationResult } from './result'

export interface PendingOptions {
  clock: Clock
  /** ms until the attempt ends as `timed_out`. */
  timeout: number
  signal?: AbortSignal | undefined
}

/** A promise of a result with a deadline and a way to end it from outside. */
export class PendingAttempt {
  readonly promise: Promise<AuthorizationResult>
  /** Aborts once the attempt has ended, however it ended: the surface then closes its window. */
  readonly signal: AbortSignal
  readonly #end: () => void
  #resolve!: (result: AuthorizationResult) => void
  #reject!: (reason: unknown) => void

  constructor({ clock, timeout, signal }: PendingOptions) {
    const ended = new AbortController()
    const deadline = startDeadline(clock, timeout, signal)
    this.signal = ended.signal
    this.promise = new Promise<AuthorizationResult>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#end = () => {
      deadline.release()
      ended.abort()
    }
    const onEnd = () => this.fail(deadline.expired() ? timedOut(timeout) : aborted())
    if (deadline.signal.aborted) onEnd()
    else deadline.signal.addEventListener('abort', onEnd, { once: true })
  }

  /** Both take the first outcome; later ones change nothing. */
  succeed(result: AuthorizationResult): void {
    this.#end()
    this.#resolve(result)
  }

  fail(reason: unknown): void {
    this.#end()
    this.#reject(reason)
  }
}

export function aborted(): AuthorizationError {
  return new AuthorizationError('aborted', 'The sign-in was cancelled.')
}

function timedOut(timeout: number): AuthorizationError {
  return new AuthorizationError('timed_out', `Nobody answered within ${Math.round(timeout / 1000)} s.`)
}
