/** Waits for something that is not the SDK's own, such as a promise of the game: until a deadline, and until the caller aborts. A page loads it with the first use. */
import { type AbortGroup, createDeferred } from './async'
import type { Clock } from './clock'
import { NetworkError } from './errors'
import { isRequestBound } from './platform'

/** A wait, with its name in errors and its end. */
export interface Wait {
  /** Name of the call, as in `verify`. */
  readonly name: string
  readonly clock: Clock
  /** ms. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Ends it as the signal does. */
  readonly group?: AbortGroup | undefined
}

/** @throws NetworkError `timed_out` if the promise does not settle in time, `aborted`. */
export function inTime<Result>(
  result: PromiseLike<Result>,
  { name, clock, timeout, signal, group }: Wait,
): Promise<Result> {
  const pending = createDeferred<Result>(clock, {
    timeout,
    signals: [signal],
    group,
    makeError: (code) => new NetworkError(code, name),
  })
  result.then(pending.resolve, pending.reject)
  return pending.promise
}

// Work that callers share, also those of other requests.

/**
 * Waits for the operation, which is started unless it is running. Rejects with NetworkError `aborted` when the signal aborts; the operation
 * continues for the other callers.
 */
export type SingleFlight = (signal?: AbortSignal) => Promise<void>

/** @param route method and path of the operation, for its errors. */
export function createSingleFlight(
  clock: Clock,
  route: string,
  operation: () => Promise<void>,
): SingleFlight {
  let inFlight: Promise<void> | undefined
  return (signal) => {
    const deferred = createDeferred<void>(clock, {
      signals: [signal],
      makeError: (code) => new NetworkError(code, route),
    })
    if (!deferred.isSettled) {
      // The operation of another request may end with it.
      if (isRequestBound()) inFlight = undefined
      inFlight ??= operation().finally(() => (inFlight = undefined))
      inFlight.then(deferred.resolve, deferred.reject)
    }
    return deferred.promise
  }
}

/** Resolves after that many ms of the clock. */
export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise<void>((resolve) => void clock.after(ms, resolve))

/** ms between two looks at what another request may have settled. */
const LOOK = 20

/**
 * Waits with timers of its own for a promise that another request may settle. `wake` does what is due: the timer for it may have ended with
 * the request that started it. Elsewhere, the promise itself is returned.
 */
export function waitInRequest<T>(clock: Clock, shared: Promise<T>, wake: () => void): Promise<T> {
  return isRequestBound() ? look(clock, shared, wake) : shared
}

async function look<T>(clock: Clock, shared: Promise<T>, wake: () => void): Promise<T> {
  const state = { isSettled: false }
  const settle = () => void (state.isSettled = true)
  shared.then(settle, settle)
  while (!state.isSettled) {
    await pause(clock, LOOK)
    wake()
  }
  return shared
}
