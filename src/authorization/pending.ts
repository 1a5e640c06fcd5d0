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

/** A promise of a result that can be ended from outside. The first outcome counts; later ones change nothing. */
export interface PendingAttempt {
  promise: Promise<AuthorizationResult>
  /** Aborts once the attempt has ended, however it ended: the surface then closes its window. */
  signal: AbortSignal
  succeed: (result: AuthorizationResult) => void
  fail: (reason: unknown) => void
}

/** Starts the attempt's deadline. */
export function startPending(clock: Clock, { timeout, signal }: PendingLimits): PendingAttempt {
  const ended = new AbortController()
  const deadline = startDeadline(clock, timeout, [signal])
  const ending =
    <T>(settle: (value: T) => void) =>
    (value: T) => {
      deadline.release()
      ended.abort()
      settle(value)
    }
  let succeed!: PendingAttempt['succeed']
  let fail!: PendingAttempt['fail']
  const promise = new Promise<AuthorizationResult>((resolve, reject) => {
    succeed = ending(resolve)
    fail = ending(reject)
  })
  const onDeadline = () => fail(new AuthorizationError(deadline.expired() ? 'timed_out' : 'aborted'))
  if (deadline.signal.aborted) onDeadline()
  else deadline.signal.addEventListener('abort', onDeadline)
  return { promise, signal: ended.signal, succeed, fail }
}
