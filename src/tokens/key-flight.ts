/** One piece of work that several callers wait for: the first starts it, and the last one to give up cancels it. */
import { NetworkError } from '../foundation/errors'

/** Waits for the work, started now or under way. Rejects with NetworkError `aborted` by the signal; the work goes on for other callers. */
export type SingleFlight = (signal?: AbortSignal) => Promise<void>

export function createSingleFlight(start: (signal: AbortSignal) => Promise<void>): SingleFlight {
  let flight: { work: Promise<void>; controller: AbortController; waiting: number } | undefined
  return async (signal) => {
    const controller = new AbortController()
    const mine = (flight ??= { work: start(controller.signal), controller, waiting: 0 })
    mine.waiting++
    try {
      await abortable(mine.work, signal)
    } finally {
      mine.waiting--
      if (mine.waiting === 0) {
        mine.controller.abort()
        flight = undefined
      }
    }
  }
}

function abortable(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new NetworkError('aborted', 'GET /oauth2/keys'))
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
  })
}
