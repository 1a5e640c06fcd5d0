/** Single flight: callers at the same time share one operation, and each can stop waiting for it. */
import type { Clock } from './clock'
import { NetworkError } from './errors'
import { createDeferred } from './deferred'
import { isRequestBound } from './request-bound'

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
