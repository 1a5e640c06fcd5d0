/** Waits for something that is not the SDK's own, such as a promise of the game: until a deadline, and until the caller aborts. */
import type { Clock } from './clock'
import { createDeferred } from './deferred'
import { NetworkError } from './errors'

/** A wait, with its name in errors and its end. */
export interface Wait {
  /** Name of the call, as in `verify`. */
  readonly name: string
  readonly clock: Clock
  /** ms. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** @throws NetworkError `timed_out` if the promise does not settle in time, `aborted`. */
export function inTime<Result>(
  result: PromiseLike<Result>,
  { name, clock, timeout, signal }: Wait,
): Promise<Result> {
  const pending = createDeferred<Result>(clock, {
    timeout,
    signals: [signal],
    makeError: (code) => new NetworkError(code, name),
  })
  result.then(pending.resolve, pending.reject)
  return pending.promise
}
