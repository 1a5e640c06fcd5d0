/** One piece of work in flight: a promise that settles exactly once, whoever is first, and leaves no timer and no listener behind. */
import type { Clock } from './clock'

export interface DeferredOptions {
  /** ms until the work ends as `timed_out`. Without it, it has all the time. */
  timeout?: number
  /** Each ends it as `aborted`. (`AbortSignal.any` is missing where the UMD build must run.) */
  signals: readonly (AbortSignal | undefined)[]
  /** Makes the error that it ends with. */
  makeError: (code: 'timed_out' | 'aborted') => Error
}

/** A promise of a result that can be ended from outside. The first outcome counts; later ones change nothing. */
export interface Deferred<T> {
  promise: Promise<T>
  /** Aborts once the work has ended, however it ended: what still runs for it can stop. */
  signal: AbortSignal
  resolve: (result: T) => void
  reject: (reason: unknown) => void
}

/** Starts the deadline. */
export function createDeferred<T>(clock: Clock, { timeout, signals, makeError }: DeferredOptions): Deferred<T> {
  const ended = new AbortController()
  const { signal } = ended
  const ending =
    <V>(settle: (value: V) => void) =>
    (value: V) => {
      ended.abort()
      settle(value)
    }
  let succeed!: (result: T) => void
  let fail!: (reason: unknown) => void
  const promise = new Promise<T>((resolve, reject) => {
    succeed = ending(resolve)
    fail = ending(reject)
  })
  const after = (ms: number, then: () => void) => signal.addEventListener('abort', clock.after(ms, then))
  // In two parts: who slept through a deadline wakes to its timer first, and hears in the last eighth what has come meanwhile.
  if (timeout !== undefined) after(timeout - timeout / 8, () => after(timeout / 8, () => fail(makeError('timed_out'))))
  const onAbort = () => fail(makeError('aborted'))
  for (const outer of signals) {
    outer?.addEventListener('abort', onAbort, { signal })
    if (outer?.aborted) onAbort()
  }
  return { promise, signal, resolve: succeed, reject: fail }
}
