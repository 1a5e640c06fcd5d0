/** One piece of work that several callers wait for; each may stop waiting by itself. */
import { NetworkError } from '../foundation/errors'

const ROUTE = 'GET /oauth2/keys'

/** Waits for the work, started now or under way. Rejects with NetworkError `aborted` by the signal; the work goes on for the others. */
export type SingleFlight = (signal?: AbortSignal) => Promise<void>

export function createSingleFlight(start: () => Promise<void>): SingleFlight {
  let flight: Promise<void> | undefined
  return (signal) => {
    if (signal?.aborted) return Promise.reject(new NetworkError('aborted', ROUTE))
    flight ??= start().finally(() => {
      flight = undefined
    })
    const work = flight
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(new NetworkError('aborted', ROUTE))
      signal?.addEventListener('abort', onAbort)
      work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
    })
  }
}
