/** The conversation with an Activity's host window: handshake, commands with their answers, events, and the end. */
import type { Clock } from '../foundation/clock'
import { randomText } from '../foundation/random'
import { ApiError, NetworkError } from '../foundation/errors'
import { type Deferred, createDeferred } from '../foundation/deferred'
import type { HostWindow } from './host'
import type { ActivityLaunch } from './launch'
import { FRAME, HANDSHAKE, type HostMessage, nameOfClosing, nameOfRefusal, readMessage } from './message'

/** How long a host may take to answer, in ms. */
const TIMEOUT = 10_000

export interface ConnectionOptions {
  host: HostWindow
  clock: Clock
  /** Ends the conversation. */
  closeSignal: AbortSignal
  launch: ActivityLaunch
  clientId: string
  /** What the host is asked to tell. */
  events: readonly string[]
  /** Gets every event after the handshake. */
  onEvent: (event: string, data: unknown) => void
  /** The host has ended the conversation. */
  onClose: (reason: ApiError) => void
}

export interface CommandOptions {
  /** Of `SUBSCRIBE`: which event. */
  event?: string
  /** ms. Default: 10,000. A command that asks the player needs more. */
  timeout?: number
  signal?: AbortSignal | undefined
}

/** A host that has said READY, and tells what it was asked to tell. */
export interface ActivityConnection {
  /** @throws ApiError when the host refuses; its `apiCode` is the host's code. @throws NetworkError `timed_out`, `aborted`. */
  command(name: string, args?: object, options?: CommandOptions): Promise<unknown>
}

/**
 * Shakes hands, and subscribes. A conversation that does not come that far hears nothing more.
 * @throws NetworkError `timed_out`, `aborted`. @throws ApiError when the host refuses, or closes at once, for example `invalid_client_id`.
 */
export async function connect(options: ConnectionOptions): Promise<ActivityConnection> {
  const conversation = new Conversation(options)
  try {
    await conversation.shakeHands()
    await Promise.all(options.events.map((event) => conversation.command('SUBSCRIBE', {}, { event })))
  } catch (error) {
    conversation.end(error)
    throw error
  }
  return conversation
}

class Conversation implements ActivityConnection {
  readonly #options: ConnectionOptions
  readonly #ended = new AbortController()
  readonly #waiting = new Map<string, Deferred<unknown>>()
  readonly #handshake: Deferred<unknown>
  /** Why it has ended. */
  #reason: unknown

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#handshake = this.#pend('activity handshake', {})
  }

  shakeHands(): Promise<unknown> {
    const { host, launch, clientId, closeSignal } = this.#options
    closeSignal.addEventListener('abort', () => this.#ended.abort(), { signal: this.#ended.signal })
    host.listen((message) => this.#hear(readMessage(message)), this.#ended.signal)
    host.post([HANDSHAKE, { v: 1, encoding: 'json', client_id: clientId, frame_id: launch.frameId }])
    return this.#handshake.promise
  }

  command(name: string, args: object = {}, { event, ...options }: CommandOptions = {}): Promise<unknown> {
    if (this.#reason) return Promise.reject(this.#reason)
    const nonce = uuid()
    const pending = this.#pend(`activity ${name}`, options)
    if (pending.signal.aborted) return pending.promise
    this.#waiting.set(nonce, pending)
    pending.signal.addEventListener('abort', () => this.#waiting.delete(nonce))
    this.#options.host.post([FRAME, { cmd: name, args, nonce, ...(event !== undefined && { evt: event }) }])
    return pending.promise
  }

  end(reason: unknown): void {
    this.#reason = reason
    this.#ended.abort()
    this.#handshake.reject(reason)
    for (const pending of this.#waiting.values()) pending.reject(reason)
  }

  #pend(route: string, { timeout = TIMEOUT, signal }: CommandOptions): Deferred<unknown> {
    const { clock, closeSignal } = this.#options
    return createDeferred<unknown>(clock, { timeout, signals: [signal, closeSignal], makeError: (code) => new NetworkError(code, route) })
  }

  #hear(message: HostMessage | undefined): void {
    if (message?.kind === 'close') return this.#close(message.code)
    if (message?.kind === 'event') return this.#happen(message.event, message.data)
    if (!message) return
    const pending = this.#waiting.get(message.nonce)
    if (message.kind === 'answer') pending?.resolve(message.data)
    else pending?.reject(new ApiError(nameOfRefusal(message.code), 'activity', { status: 0, apiCode: message.code }))
  }

  #happen(event: string, data: unknown): void {
    if (event === 'READY') this.#handshake.resolve(data)
    else if (this.#handshake.signal.aborted) this.#options.onEvent(event, data)
  }

  #close(code: number): void {
    const reason = new ApiError(nameOfClosing(code), 'activity', { status: 0, apiCode: code })
    this.end(reason)
    this.#options.onClose(reason)
  }
}

/** RFC 9562 version 4, from the same source of randomness as everything else. */
function uuid(): string {
  const bytes = atob(randomText().replace(/-/g, '+').replace(/_/g, '/'))
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
