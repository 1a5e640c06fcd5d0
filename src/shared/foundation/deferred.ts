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

/** Creates the promise and starts the deadline. @throws ConfigurationError `invalid_argument` for a signal that is none. */
export const createDeferred = <T>(clock: Clock, options: DeferredOptions): Deferred<T> =>
  new Pending(clock, options)

/** A class, since an object with accessors of its own would stay in memory until the next full collection, with all that it refers to. */
class Pending<T> implements Deferred<T> {
  readonly promise: Promise<T>
  isSettled = false
  #succeed!: (result: T) => void
  #fail!: (reason: unknown) => void
  #controller: AbortController | undefined
  /** Removes the timer and the listeners. */
  readonly #ends: (() => void)[] = []

  constructor(clock: Clock, { timeout, signals, group, makeError }: DeferredOptions) {
    // Before anything starts that would go on without a caller.
    signals.forEach(requireSignal)
    this.promise = new Promise<T>((succeed, fail) => {
      this.#succeed = succeed
      this.#fail = fail
    })
    const abort = () => this.reject(makeError('aborted'))
    if (timeout !== undefined)
      this.#ends.push(afterAwake(clock, timeout, () => this.reject(makeError('timed_out'))))
    this.#listen(signals, abort)
    if (this.isSettled) this.#finish()
    if (group?.aborted) abort()
    if (!this.isSettled && group) this.#ends.push(group.onEnd(abort))
  }

  readonly resolve = (result: T): void => {
    this.isSettled = true
    this.#succeed(result)
    this.#finish()
  }

  readonly reject = (reason: unknown): void => {
    this.isSettled = true
    this.#fail(reason)
    this.#finish()
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.isSettled) this.#controller.abort()
    return this.#controller.signal
  }

  /** Listens to all signals. If one throws, nothing is left. */
  #listen(signals: DeferredOptions['signals'], abort: () => void): void {
    try {
      for (const outer of signals) if (outer) this.#ends.push(listenToAbort(outer, abort))
    } catch (error) {
      this.#finish()
      throw error
    }
  }

  /** A listener that a foreign signal refuses to remove is no reason to leave a timer behind. */
  #finish(): void {
    for (const end of this.#ends.splice(0)) {
      try {
        end()
      } catch {}
    }
    this.#controller?.abort()
  }
}
