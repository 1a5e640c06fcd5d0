/** Calls code of a game inside a gesture of the player. `Foyer.engine.callOnGesture` does the same for games without a bundler. */
import { systemClock } from '../../shared/foundation/clock'
import { createDeferred } from '../../shared/foundation/async'
import { AuthorizationError, ConfigurationError } from '../../shared/foundation/errors'
import { listenForGestures } from './next-gesture'

/** Options of `callOnGesture`. */
export interface GestureCallOptions {
  /** Ends the waiting for a gesture, for example when the menu with the button disappears: rejects with AuthorizationError `aborted`. */
  signal?: AbortSignal | undefined
}

/** Result of `watchGestures`. */
export interface GestureWatch {
  /**
   * Calls back inside the player's current or next click, tap or key, where browsers open popups, and resolves with the result.
   *
   * @throws AuthorizationError `superseded` if another call follows while this one waits, `aborted` by the signal or by `stop`.
   * @throws ConfigurationError `closed` after `stop`.
   * @throws Every error of the callback.
   */
  callOnGesture<T>(callback: () => T | PromiseLike<T>, options?: GestureCallOptions): Promise<T>
  /** Removes the listeners. A call that waits rejects with AuthorizationError `aborted`. */
  stop(): void
}

const makeError = (code: 'superseded' | 'aborted' | 'timed_out') => new AuthorizationError(code)

/**
 * Listens for the player's gestures. Call it once, when the game starts: an engine that processes input in a later frame, such as Excalibur
 * or Kaplay, needs the gesture that is over by then. Outside of a page, for example in a worker, callbacks run immediately.
 *
 * @example
 * ```ts
 * import { watchGestures } from 'foyer-sdk/engine'
 *
 * const gestures = watchGestures()
 * // In the engine's own handler, in whichever frame it runs:
 * const onPress = () => gestures.callOnGesture(() => client.signIn())
 * ```
 */
export function watchGestures(): GestureWatch {
  const gestures = listenForGestures()
  let isStopped = false
  let endWaiting: ((code: 'superseded' | 'aborted') => void) | undefined
  return {
    async callOnGesture<T>(
      callback: () => T | PromiseLike<T>,
      { signal }: GestureCallOptions = {},
    ): Promise<T> {
      if (isStopped) throw new ConfigurationError('closed', 'watchGestures')
      endWaiting?.('superseded')
      const call = createDeferred<Promise<T>>(systemClock, { signals: [signal], makeError })
      endWaiting = (code) => call.reject(makeError(code))
      if (!call.isSettled) {
        const run = async () => callback()
        const cancel = gestures.run(() => call.resolve(run()))
        if (cancel) call.signal.addEventListener('abort', cancel)
      }
      return call.promise
    },
    stop() {
      isStopped = true
      gestures.stop()
      endWaiting?.('aborted')
    },
  }
}
