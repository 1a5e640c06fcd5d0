/** Tells open chat pages that something is new; they ask for what it is. */
import { EventEmitter } from 'node:events'

export class ChangeNotifier {
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  tell(): void {
    this.#emitter.emit('change')
  }

  /** Returns the undo. */
  subscribe(listener: () => void): () => void {
    this.#emitter.on('change', listener)
    return () => void this.#emitter.off('change', listener)
  }
}
