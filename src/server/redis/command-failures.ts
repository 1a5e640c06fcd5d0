/** Time limit for commands of the lobby broker, and the count of those that failed. */
import { systemClock } from '../../shared/foundation/clock'
import { createDeferred } from '../../shared/foundation/async'
import { NetworkError } from '../../shared/foundation/errors'

/** ms for a response: a server that is frozen leaves a command unanswered for ever. */
const TIMEOUT = 1000

const makeError = (code: 'timed_out' | 'aborted') => new NetworkError(code, 'redis')

/** Rejects commands without a response, so that the hub goes on without Redis. */
export class CommandFailures {
  #count = 0

  /** Number of commands that have failed so far. */
  get count(): number {
    return this.#count
  }

  /** Resolves or rejects like the command, and rejects with `timed_out` after a second. */
  async watch<T>(command: Promise<T>): Promise<T> {
    const limited = createDeferred<T>(systemClock, { timeout: TIMEOUT, signals: [], makeError })
    command.then(limited.resolve, limited.reject)
    try {
      return await limited.promise
    } catch (error) {
      this.#count++
      throw error
    }
  }
}
