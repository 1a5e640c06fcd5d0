/** One piece of work that several callers wait for: the first starts it, and the last one to give up cancels it. */
import { NetworkError } from '../foundation/errors'

interface Flight<T> {
  readonly work: Promise<T>
  readonly controller: AbortController
  waiting: number
}

export class SingleFlight<T> {
  readonly #start: (signal: AbortSignal) => Promise<T>
  #flight: Flight<T> | undefined

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#start = start
  }

  /**
   * Waits for the work, started now or already under way.
   * @throws NetworkError `aborted` when this caller's signal aborts; the work goes on while another caller waits.
   */
  async join(signal?: AbortSignal): Promise<T> {
    const flight = (this.#flight ??= this.#takeOff())
    flight.waiting++
    try {
      return await abortable(flight.work, signal)
    } finally {
      if (--flight.waiting === 0) this.#land(flight)
    }
  }

  #takeOff(): Flight<T> {
    const controller = new AbortController()
    return { work: this.#start(controller.signal), controller, waiting: 0 }
  }

  #land(flight: Flight<T>): void {
    flight.controller.abort()
    if (this.#flight === flight) this.#flight = undefined
  }
}

function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(new NetworkError('aborted', 'The call was cancelled.'))
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
  })
}
