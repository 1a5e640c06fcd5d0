/** One piece of work that several callers wait for; each may stop waiting by itself. */
import type { Clock } from './clock'
import { NetworkError } from './errors'
import { createDeferred } from './deferred'

const ROUTE = 'GET /oauth2/keys'

/** Waits for the work, started now or under way. Rejects with NetworkError `aborted` by the signal; the work goes on for the others. */
export type SingleFlight = (signal?: AbortSignal) => Promise<void>

export function createSingleFlight(clock: Clock, start: () => Promise<void>): SingleFlight {
  let flight: Promise<void> | undefined
  return (signal) => {
    const waiting = createDeferred<void>(clock, { signals: [signal], makeError: (code) => new NetworkError(code, ROUTE) })
    if (!waiting.signal.aborted) {
      flight ??= start().finally(() => (flight = undefined))
      flight.then(waiting.resolve, waiting.reject)
    }
    return waiting.promise
  }
}
