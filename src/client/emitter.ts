/** The events of a client: listened to by name, and emitted so that no listener can stop the client. */
import { EventEmitter } from 'eventemitter3'
import { requireNames } from '../foundation/option-names'
import { runCallback } from '../foundation/run-callback'
import type { ClientEvents } from './events'

/** For plain JavaScript, where a misspelt event would never come. */
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
  'activityClosed',
  'lobbyCreated',
  'lobbyUpdated',
  'lobbyDeleted',
  'lobbyMessage',
  'log',
]

type Name = keyof ClientEvents
type Listener<Event extends Name> = EventEmitter.EventListener<ClientEvents, Event>

export class ClientEmitter extends EventEmitter<ClientEvents> {
  /**
   * Calls the listener at each event of this name, with one object. What it throws reaches the page's own error handler. Gives the client
   * back; `subscribe` gives what ends the listening instead.
   * @throws ConfigurationError `invalid_argument` for a misspelt event.
   */
  override on<Event extends Name>(event: Event, listener: Listener<Event>): this {
    requireNames({ [event]: listener }, EVENTS, 'event ')
    return super.on(event, listener)
  }

  /** As `on`, for the next event of this name alone. */
  override once<Event extends Name>(event: Event, listener: Listener<Event>): this {
    requireNames({ [event]: listener }, EVENTS, 'event ')
    return super.once(event, listener)
  }

  /** As `on`. Call the result to end it. */
  subscribe<Event extends Name>(event: Event, listener: Listener<Event>): () => void {
    this.on(event, listener)
    return () => this.off(event, listener)
  }

  /** What a listener throws reaches the page's own error handler, and stops nothing here. */
  override emit<Event extends Name>(event: Event, ...args: EventEmitter.EventArgs<ClientEvents, Event>): boolean {
    return runCallback(() => super.emit(event, ...args)) ?? true
  }
}
