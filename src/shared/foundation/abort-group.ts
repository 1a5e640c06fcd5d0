/** Abort signals of any origin (of the page, of another realm, or of a polyfill), and groups of callbacks that cost less. */
import { ConfigurationError } from './errors'

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
