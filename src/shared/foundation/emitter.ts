/** Typed events of an object. An exception in a listener never stops the object. */
import { EventEmitter } from 'eventemitter3'
import { listenToAbort, requireSignal } from './async'
import { ConfigurationError } from './errors'
import { checkOptions, closestName, createTyped, runCallback } from './options'

/** Options of `on`. */
export interface ListenerOptions {
  /** Removes the listener when it aborts. */
  signal?: AbortSignal | undefined
}

export class Emitter<Events extends object> {
  readonly #events = new EventEmitter<Events>()
  readonly #names: readonly string[]

  /** @param names for the check at run time: plain JavaScript could listen to a misspelt event and never notice. */
  constructor(names: readonly (keyof Events & string)[]) {
    this.#names = names
  }

  /** Returns a function that removes the listener. @throws ConfigurationError `invalid_argument`. */
  on<Name extends EventEmitter.EventNames<Events>>(
    event: Name,
    listener: EventEmitter.EventListener<Events, Name>,
    options?: ListenerOptions,
  ): () => void {
    const { signal } = checkOptions(options, ['signal'])
    createTyped('signal', () => requireSignal(signal))
    this.#requireEvent(event)
    if (typeof listener !== 'function')
      throw new ConfigurationError('invalid_argument', 'listener', { remedy: 'Give a function' })
    // Two parts of a game may add the same function: each removes its own.
    const registration = {}
    const off = () => {
      this.#events.off(event, listener, registration)
    }
    this.#events.on(event, listener, registration)
    const forget = createTyped('signal', () => listenToAbort(signal, off))
    return () => {
      forget()
      off()
    }
  }

  /** Calls every listener, also after one that throws. */
  emit<Name extends EventEmitter.EventNames<Events>>(
    event: Name,
    ...args: EventEmitter.EventArgs<Events, Name>
  ): void {
    for (const listener of this.#events.listeners(event))
      runCallback((): unknown => Reflect.apply(listener, undefined, args))
  }

  /** True if somebody listens to the event. */
  has(event: EventEmitter.EventNames<Events>): boolean {
    return this.#events.listenerCount(event) > 0
  }

  clear(): void {
    this.#events.removeAllListeners()
  }

  /** A listener of an unknown event would never be called. */
  #requireEvent(event: unknown): void {
    if (typeof event === 'string' && this.#names.includes(event)) return
    const closest = typeof event === 'string' ? closestName(event, this.#names) : undefined
    const remedy = closest ? `Did you mean event ${closest}?` : `Events: ${this.#names.join(', ')}`
    throw new ConfigurationError(
      'invalid_argument',
      `event ${typeof event === 'string' ? event.slice(0, 64) : typeof event}`,
      { remedy },
    )
  }
}
