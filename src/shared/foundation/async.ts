/** Waiting: signals that end it, promises with a deadline, and parts that load later. */
import { afterAwake, type Clock } from './clock'
import { ConfigurationError, NetworkError } from './errors'

// Ends of a wait: abort signals of any origin (of the page, of another realm, or of a polyfill), and groups of callbacks that cost less.

/** A group of cancel callbacks. Cheaper than an `AbortSignal` with a listener per request, and Node warns of more than ten listeners. */
export class AbortGroup {
  readonly #callbacks: ((() => void) | undefined)[] = []
  readonly #free: number[] = []
  #aborted = false

  get aborted(): boolean {
    return this.#aborted
  }

  /** Calls back when the group ends. Returns a function that removes the callback, to be called once. */
  onEnd(end: () => void): () => void {
    const handle = this.#free.pop() ?? this.#callbacks.length
    this.#callbacks[handle] = end
    return () => {
      this.#callbacks[handle] = undefined
      this.#free.push(handle)
    }
  }

  end(): void {
    this.#aborted = true
    for (const end of this.#callbacks) end?.()
  }
}

/**
 * Calls back when the signal aborts, or at once if it has. Returns a function that stops listening. Passes no options to the signal: those of
 * another realm refuse a signal of this one.
 * @throws ConfigurationError `invalid_argument` if it is no signal.
 */
export function listenToAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  requireSignal(signal)
  if (signal?.aborted) callback()
  signal?.addEventListener('abort', callback)
  return () => signal?.removeEventListener('abort', callback)
}

/**
 * A controller, for example, has no listeners: its abort would never arrive.
 * @throws ConfigurationError `invalid_argument`.
 */
export function requireSignal(signal: unknown): void {
  if (signal === undefined || signal === null) return
  const { aborted, addEventListener, removeEventListener }: Record<string, unknown> = Object(signal)
  if (
    typeof aborted === 'boolean' &&
    typeof addEventListener === 'function' &&
    typeof removeEventListener === 'function'
  )
    return
  throw new ConfigurationError('invalid_argument', 'signal', {
    remedy: 'Give the signal of an AbortController: controller.signal',
  })
}

// A promise that is resolved from outside. It leaves no timer and no listener behind.

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
  /** Removes the timer. */
  #stopTimer: (() => void) | undefined
  /** Leaves the group. */
  #leave: (() => void) | undefined
  /** Removes the listeners. Most have no signal, and no list. */
  #unlisten: (() => void)[] | undefined

  constructor(clock: Clock, { timeout, signals, group, makeError }: DeferredOptions) {
    // Before anything starts that would go on without a caller.
    for (const signal of signals) requireSignal(signal)
    this.promise = new Promise<T>((succeed, fail) => {
      this.#succeed = succeed
      this.#fail = fail
    })
    const abort = () => this.reject(makeError('aborted'))
    if (timeout !== undefined)
      this.#stopTimer = afterAwake(clock, timeout, () => this.reject(makeError('timed_out')))
    this.#listen(signals, abort)
    if (this.isSettled) this.#finish()
    if (group?.aborted) abort()
    if (!this.isSettled && group) this.#leave = group.onEnd(abort)
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
      for (const outer of signals) if (outer) (this.#unlisten ??= []).push(listenToAbort(outer, abort))
    } catch (error) {
      this.#finish()
      throw error
    }
  }

  #finish(): void {
    const stopTimer = this.#stopTimer
    const leave = this.#leave
    const unlisten = this.#unlisten
    this.#stopTimer = this.#leave = this.#unlisten = undefined
    attempt(stopTimer)
    attempt(leave)
    if (unlisten) for (const end of unlisten) attempt(end)
    this.#controller?.abort()
  }
}

/** A listener that a foreign signal refuses to remove is no reason to leave the others behind. */
function attempt(end: (() => void) | undefined): void {
  try {
    end?.()
  } catch {}
}

// Parts of the SDK that load later.

const REMEDY = 'A part of the SDK could not be fetched, perhaps after a deployment: reload the page'

/**
 * Waits for an `import()`, and for nothing else: what the part itself throws later is no failure to load it.
 * @throws NetworkError `reload_required`. Most failures are permanent, since a deployment has removed the file that an older page refers to.
 */
export async function importPart<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading
  } catch (cause) {
    throw new NetworkError('reload_required', 'import()', { cause, retryable: false, remedy: REMEDY })
  }
}

/** Returns a function that does its work once and caches the promise. A failure is not cached: the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let imported: Promise<T> | undefined
  return () =>
    (imported ??= load().catch((error: unknown) => {
      imported = undefined
      throw error
    }))
}
