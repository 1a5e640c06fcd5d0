/** Pub/sub channel on which lost notes are noticed. */
import { afterUnref, systemClock } from '../../shared/foundation/clock'
import { randomText } from '../../shared/foundation/crypto'
import type { BrokerListener } from '../hub/lobby-broker'
import type { CommandFailures } from './command-failures'
import { decodeNumbered, encodeNumbered, NoteCounts } from './note-counts'

/** Required methods of the connection that receives notes. */
export interface RedisSubscriber {
  /** Starts a subscription; `ioredis` renews it after a reconnect. */
  subscribe(channel: string): Promise<unknown>
  /** Adds a listener for messages. */
  on(event: 'message', listener: (channel: string, text: string) => void): unknown
  /** Adds a listener for the connection being usable (again). */
  on(event: 'ready', listener: () => void): unknown
  /** Adds a listener for errors of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** State of the connection; `wait` with `lazyConnect`. */
  readonly status?: string
  /** Opens the connection of a client with `lazyConnect`. */
  connect?(): Promise<unknown>
  /** Closes the connection. */
  disconnect(): void
}

/** Parts of a channel. */
export interface NoteChannelParts {
  /** Publishes a message; rejects after a time without a response. */
  readonly publish: (channel: string, text: string) => Promise<unknown>
  /** Creates the connection that receives notes. */
  readonly connect: () => RedisSubscriber
  readonly channel: string
  readonly failures: CommandFailures
  /** Rejects while the server that stores the lobbies is unavailable: in a cluster it may be another one than that of the subscription. */
  readonly check: () => Promise<unknown>
}

interface SubscriptionListener {
  readonly onMessage: (message: string) => void
  readonly onSubscribed: () => void
  readonly onFailed: (error: unknown) => void
}

/** ms between two beats. */
const BEAT = 1000
/** Own beats without a message after which the subscription is replaced: its server may be frozen, or no longer the one in use. */
const SILENT_BEATS = 2

/**
 * Pub/sub of Redis delivers at most once, and in a cluster `ioredis` moves a subscription to another node without an event. Therefore each
 * sender numbers its notes, and announces the last number every second; a receiver that lacks one reports a gap. A gap is also reported
 * when commands succeed again after failures, since what they should have stored is missing.
 */
export class NoteChannel {
  readonly #parts: NoteChannelParts
  readonly #sender = randomText().slice(0, 12)
  #number = 0

  constructor(parts: NoteChannelParts) {
    this.#parts = parts
  }

  async publish(text: string): Promise<void> {
    await this.#send(++this.#number, text)
  }

  /** Starts listening on a connection of its own. Returns an unsubscribe function. */
  subscribe(listener: BrokerListener): () => void {
    const counts = new NoteCounts()
    const subscription = { silent: 0, failures: this.#parts.failures.count }
    const onMessage = (message: string) => {
      subscription.silent = 0
      const note = decodeNumbered(message)
      if (!note) return
      if (counts.isGap(note)) listener.gap()
      if (note.text !== undefined) listener.note(note.text)
    }
    const onFailed = (error: unknown) => listener.failed?.(error)
    const connect = () => this.#connect({ onMessage, onSubscribed: () => listener.gap(), onFailed })
    let disconnect = connect()
    const onBeat = () => {
      counts.age()
      this.#beat(subscription)
      this.#reportRecovery(subscription, listener)
      if (subscription.silent > SILENT_BEATS) {
        subscription.silent = 0
        onFailed(new Error('Redis accepts notes and delivers none'))
        disconnect()
        disconnect = connect()
      }
      cancelBeat = afterUnref(systemClock, BEAT, onBeat)
    }
    let cancelBeat = afterUnref(systemClock, BEAT, onBeat)
    return () => {
      cancelBeat()
      disconnect()
    }
  }

  /** Counted only if Redis accepts the beat: without it there is nothing to receive. */
  #beat(subscription: { silent: number }): void {
    this.#send(this.#number, undefined).then(
      () => (subscription.silent += 1),
      () => undefined,
    )
  }

  /** After failures: reports a gap as soon as commands succeed again. */
  #reportRecovery(subscription: { failures: number }, listener: BrokerListener): void {
    const { failures, check } = this.#parts
    const { count } = failures
    if (count === subscription.failures) return
    const onRecovered = () => {
      subscription.failures = count
      listener.gap()
    }
    check().then(onRecovered, () => undefined)
  }

  async #send(number: number, text: string | undefined): Promise<void> {
    const { publish, channel } = this.#parts
    await publish(channel, encodeNumbered({ sender: this.#sender, number, text }))
  }

  /** Notes before a subscription, at first and after a lost connection, may be lost. */
  #connect({ onMessage, onSubscribed, onFailed }: SubscriptionListener): () => void {
    const connection = this.#parts.connect()
    let isEnded = false
    connection.on('message', (from, text) => {
      if (!isEnded && from === this.#parts.channel) onMessage(text)
    })
    // Commands of the other connection report failures; `ioredis` prints those without a listener.
    connection.on('error', () => undefined)
    if (connection.status === 'wait') connection.connect?.().catch(() => undefined)
    const subscribe = () => {
      connection.subscribe(this.#parts.channel).then(
        () => isEnded || onSubscribed(),
        (error: unknown) => isEnded || onFailed(error),
      )
    }
    connection.on('ready', subscribe)
    if (connection.status === 'ready') subscribe()
    return () => {
      isEnded = true
      connection.disconnect()
    }
  }
}
