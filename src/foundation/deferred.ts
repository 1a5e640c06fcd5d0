/** A promise that is resolved from outside, with a deadline and abort signals. It leaves no timer and no listener behind. */
import type { Clock } from './clock'
import { listenToAbort, requireSignal } from './listen-to-abort'

export interface DeferredOptions {
  /** ms until it rejects with `timed_out`. Default: no deadline. */
  timeout?: number
  /** Each rejects it with `aborted`. (`AbortSignal.any` is missing where the UMD build must run.) */
  signals: readonly (AbortSignal | undefined)[]
  /** Makes the error to reject with. */
  makeError: (code: 'timed_out' | 'aborted') => Error
}

/** A promise with its own `resolve` and `reject`. The first outcome counts; later ones are ignored. */
export interface Deferred<T> {
  promise: Promise<T>
  /** Aborted once the promise is settled, so that work that still runs for it can stop. */
  signal: AbortSignal
  resolve: (result: T) => void
  reject: (reason: unknown) => void
}

/** Creates the promise and starts the deadline. */
export function createDeferred<T>(clock: Clock, { timeout, signals, makeError }: DeferredOptions): Deferred<T> {
  // Before anything starts that would go on without a caller.
  signals.forEach(requireSignal)
  const controller = new AbortController()
  const { signal } = controller
  const ending =
    <V>(settle: (value: V) => void) =>
    (value: V) => {
      controller.abort()
      settle(value)
    }
  let succeed!: (result: T) => void
  let fail!: (reason: unknown) => void
  const promise = new Promise<T>((resolve, reject) => {
    succeed = ending(resolve)
    fail = ending(reject)
  })
  const after = (ms: number, then: () => void) => signal.addEventListener('abort', clock.after(ms, then))
  // Two timers: a machine that slept through the deadline runs the first one on waking, and events that arrived meanwhile are processed in
  // the remaining eighth.
  if (timeout !== undefined) after(timeout - timeout / 8, () => after(timeout / 8, () => fail(makeError('timed_out'))))
  const onAbort = () => fail(makeError('aborted'))
  for (const outer of signals) if (!signal.aborted) signal.addEventListener('abort', listenToAbort(outer, onAbort))
  return { promise, signal, resolve: succeed, reject: fail }
}
