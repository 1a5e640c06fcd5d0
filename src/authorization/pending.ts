/** One attempt in flight: a promise that settles exactly once, whoever is first, and leaves nothing behind. */
import type { Clock } from '../foundation/clock'
import { startDeadline } from '../foundation/deadline'
import { AuthorizationError } from '../foundation/errors'
import type { AuthorizationResult } from './result'

export interface PendingLimits {
  /** ms until the attempt ends as `timed_out`. */
  timeout: number
  signal?: AbortSignal | undefined
}

/** A promise of a result with a deadline and a way to end it from outside. The first outcome counts; later ones change nothing. */
export class PendingAttempt {
  readonly promise: Promise<AuthorizationResult>
  /** Aborts once the attempt has ended, however it ended: the surface then closes its window. */
  readonly signal: AbortSignal
  succeed!: (result: AuthorizationResult) => void
  fail!: (reason: unknown) => void

  constructor(clock: Clock, { timeout, signal }: PendingLimits) {
    const ended = new AbortController()
    const deadline = startDeadline(clock, timeout, signal)
    const ending =
      <T>(settle: (value: T) => void) =>
      (value: T) => {
        deadline.release()
        ended.abort()
        settle(value)
      }
    this.signal = ended.signal
    this.promise = new Promise((resolve, reject) => {
      this.succeed = ending(resolve)
      this.fail = ending(reject)
    })
    const onDeadline = () => this.fail(new AuthorizationError(deadline.expired() ? 'timed_out' : 'aborted'))
    if (deadline.signal.aborted) onDeadline()
    else deadline.signal.addEventListener('abort', onDeadline)
  }
}
