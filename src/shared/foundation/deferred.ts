/** A promise that is resolved from outside, with a deadline and abort signals. It leaves no timer and no listener behind. */
import { type AbortGroup, listenToAbort, requireSignal } from './abort-group'
import { afterAwake, type Clock } from './clock'

export interface DeferredOptions {
  /** ms until it rejects with `timed_out`. Default: no deadline. */
  timeout?: number | undefined
  /** Each rejects it with `aborted`. (`AbortSignal.any` is missing where the UMD build must run.) */
  signals: readonly (AbortSignal | undefined)[]
  /** Rejects it with `aborted` too. */
  group?: AbortGroup | undefined
  /** Makes the error to reject with. */
  makeError: (code: 'timed_out' | 'aborted') => Error
}

/** A promise with its own `resolve` and `reject`. The first outcome counts; later ones are ignored. */
export interface Deferred<T> {
  promise: Promise<T>
  readonly isSettled: boolean
  /** Aborted once the promise is settled, so that work that still runs for it can stop. Created on demand. */
  readonly signal: AbortSignal
  resolve: (result: T) => void
  reject: (reason: unknown) => void
}

/** A listener that a foreign signal refuses to remove is no reason to leave a timer behind. */
function finish(ends: (() => void)[]): void {
  for (const end of ends.splice(0)) {
    try {
      end()
    } catch {}
  }
}

/** Listens to all signals. If one throws, nothing is left. */
function listenToAll(
  signals: DeferredOptions['signals'],
  { ends, abort }: { ends: (() => void)[]; abort: () => void },
): void {
  try {
    for (const outer of signals) ends.push(listenToAbort(outer, abort))
  } catch (error) {
    finish(ends)
    throw error
  }
}

/** Creates the promise and starts the deadline. */
export function createDeferred<T>(
  clock: Clock,
  { timeout, signals, group, makeError }: DeferredOptions,
): Deferred<T> {
  // Before anything starts that would go on without a caller.
  signals.forEach(requireSignal)
  const ends: (() => void)[] = []
  let isSettled = false
  let controller: AbortController | undefined
  const ending =
    <V>(settle: (value: V) => void) =>
    (value: V) => {
      isSettled = true
      settle(value)
      finish(ends)
      controller?.abort()
    }
  let succeed!: (result: T) => void
  let fail!: (reason: unknown) => void
  const promise = new Promise<T>((resolve, reject) => {
    succeed = ending(resolve)
    fail = ending(reject)
  })
  const abort = () => fail(makeError('aborted'))
  if (timeout !== undefined) ends.push(afterAwake(clock, timeout, () => fail(makeError('timed_out'))))
  listenToAll(signals, { ends, abort })
  if (isSettled) finish(ends)
  if (group?.aborted) abort()
  if (!isSettled && group) ends.push(group.onEnd(abort))
  return {
    promise,
    resolve: succeed,
    reject: fail,
    get isSettled() {
      return isSettled
    },
    get signal() {
      controller ??= new AbortController()
      if (isSettled) controller.abort()
      return controller.signal
    },
  }
}
