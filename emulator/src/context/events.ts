/** Event emitter for the service's events, under their own names. */
import { EventEmitter } from 'node:events'
import type { ServiceEvent } from '../model/service-event.js'

export class Events {
  readonly #emitter = new EventEmitter()

  emit(event: ServiceEvent): void {
    this.#emitter.emit('event', event)
  }

  /** @returns a function that unsubscribes. */
  subscribe(listener: (event: ServiceEvent) => void): () => void {
    this.#emitter.on('event', listener)
    return () => void this.#emitter.off('event', listener)
  }
}
