/** Notifies open chat pages of changes; they then request the new state. */
import { EventEmitter } from 'node:events'

export class ChangeNotifier {
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  notify(): void {
    this.#emitter.emit('change')
  }

  /** @returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#emitter.on('change', listener)
    return () => void this.#emitter.off('change', listener)
  }
}
