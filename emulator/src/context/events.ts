/** Tells who listens what happened in the service, under the names of the service's own events. */
import { EventEmitter } from 'node:events'

export interface ServiceEvent {
  name: string
  data: unknown
}

export class Events {
  readonly #emitter = new EventEmitter()

  emit(event: ServiceEvent): void {
    this.#emitter.emit('event', event)
  }

  /** Returns the undo. */
  subscribe(listener: (event: ServiceEvent) => void): () => void {
    this.#emitter.on('event', listener)
    return () => void this.#emitter.off('event', listener)
  }
}
