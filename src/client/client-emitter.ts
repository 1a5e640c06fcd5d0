/** Typed event emitter of a client. An exception in a listener never stops the client. */
import { EventEmitter } from 'eventemitter3'
import { ConfigurationError } from '../foundation/errors'
import { requireNames } from '../foundation/require-names'
import { runCallback } from '../foundation/run-callback'
import type { ClientEvents } from './context/client-events'

/** Names for the run-time check: plain JavaScript could subscribe to a misspelt event and never notice. */
const EVENTS: readonly (keyof ClientEvents)[] = [
  'statusChanged',
  'sessionChanged',
  'tokenExpiring',
  'tokenRefreshed',
  'maybeClosed',
  'rateLimited',
  'rateLimitDelayed',
  'browserUnavailable',
  'activityLaunched',
  'activityParticipants',
  'activityJoin',
  'activityLobby',
  'activityClosed',
  'lobbyCreated',
  'lobbyUpdated',
  'lobbyDeleted',
  'lobbyMessage',
  'log',
]

const isEvent = (event: unknown): boolean => EVENTS.some((name) => name === event)

/** A listener of an unknown event would never be called. */
function requireEvent(event: unknown, listener: unknown): void {
  if (typeof event === 'string') requireNames({ [event]: 0 }, EVENTS, 'event ')
  if (!isEvent(event))
    throw new ConfigurationError('invalid_argument', `event ${typeof event === 'string' ? event.slice(0, 64) : typeof event}`, {
      remedy: `Events: ${EVENTS.join(', ')}`,
    })
  if (typeof listener !== 'function') throw new ConfigurationError('invalid_argument', 'listener', { remedy: 'Give a function' })
}

type Name = keyof ClientEvents
type Listener<Event extends Name> = EventEmitter.EventListener<ClientEvents, Event>

export class ClientEmitter extends EventEmitter<ClientEvents> {
  /** Vue makes no proxy of an object with a tag: private fields do not exist on one. */
  protected get [Symbol.toStringTag](): string {
    return 'Client'
  }

  /**
   * Calls the listener with one object for each event of this name. An exception in a listener goes to the global error handler. Returns
   * the client; `subscribe` returns an unsubscribe function instead.
   *
   * @throws ConfigurationError `invalid_argument` for an unknown event name.
   */
  override on<Event extends Name>(event: Event, listener: Listener<Event>): this {
    requireEvent(event, listener)
    return super.on(event, listener)
  }

  /** Like `on`, but for the next event only. @throws ConfigurationError `invalid_argument` for an unknown event name. */
  override once<Event extends Name>(event: Event, listener: Listener<Event>): this {
    requireEvent(event, listener)
    return super.once(event, listener)
  }

  /** The same as `on`. */
  override addListener<Event extends Name>(event: Event, listener: Listener<Event>): this {
    return this.on(event, listener)
  }

  /** Removes a listener of an event, or all of them. An unknown event has none. */
  override off<Event extends Name>(event: Event, listener?: Listener<Event>): this {
    return isEvent(event) ? super.off(event, listener) : this
  }

  /** The same as `off`. */
  override removeListener<Event extends Name>(event: Event, listener?: Listener<Event>): this {
    return this.off(event, listener)
  }

  /** Removes the listeners of an event; default: of all events. */
  override removeAllListeners(event?: Name): this {
    if (event === undefined) return super.removeAllListeners()
    return isEvent(event) ? super.removeAllListeners(event) : this
  }

  /** The listeners of an event. */
  override listeners<Event extends Name>(event: Event): Listener<Event>[] {
    return isEvent(event) ? super.listeners(event) : []
  }

  /** The number of listeners of an event. */
  override listenerCount(event: Name): number {
    return isEvent(event) ? super.listenerCount(event) : 0
  }

  /**
   * Like `on`, but returns a function that removes the listener.
   *
   * @throws ConfigurationError `invalid_argument` for an unknown event name.
   * @example
   * ```ts
   * const unsubscribe = client.subscribe('sessionChanged', ({ session }) => render(session?.userId))
   * ```
   */
  subscribe<Event extends Name>(event: Event, listener: Listener<Event>): () => void {
    this.on(event, listener)
    return () => this.off(event, listener)
  }

  /** Emits an event. An exception in a listener goes to the global error handler. */
  override emit<Event extends Name>(event: Event, ...args: EventEmitter.EventArgs<ClientEvents, Event>): boolean {
    return runCallback(() => super.emit(event, ...args)) ?? true
  }
}
