/** Connection to the host of an Activity, or to the service's program on a desktop: handshake, commands, events and closing. */
import type { Clock } from '../../shared/foundation/clock'
import { randomText } from '../../shared/foundation/crypto'
import { ApiError, NetworkError } from '../../shared/foundation/errors'
import { type Deferred, createDeferred } from '../../shared/foundation/async'
import type { HostPort } from './host-window'
import { FRAME, HANDSHAKE, type HostMessage, nameOfClosing, nameOfRefusal, readMessage } from './host-message'

/** Time-out in ms of the handshake and of a command. */
const TIMEOUT = 10_000

export interface ConnectionOptions {
  host: HostPort
  clock: Clock
  /** Closes the connection. */
  closeSignal: AbortSignal
  /** Payload of the first message. */
  handshake: object
  /** Events to subscribe to. */
  events: readonly string[]
  /** Returns the remedy for a command or an event that lacks a permission. Default: none is known. */
  permissionRemedy?: (name: string) => string
  /** Called with every event after the handshake. */
  onEvent: (event: string, data: unknown) => void
  /** Called when the host closes the connection. */
  onClose: (reason: ApiError) => void
}

export interface CommandOptions {
  /** Event name of a `SUBSCRIBE` command. */
  event?: string
  /** Time-out in ms. Default: 10,000. Commands that show the player a dialog need more. */
  timeout?: number | undefined
  signal?: AbortSignal | undefined
}

/** Established connection to a host. */
export interface ActivityConnection {
  /** Data of READY. */
  readonly ready: unknown
  /** Sends a command. @throws ApiError with the host's code as `apiCode`. @throws NetworkError `timed_out`, `aborted`. */
  command(name: string, args?: object, options?: CommandOptions): Promise<unknown>
}

/**
 * Performs the handshake and subscribes to the events. A failed connection receives nothing more.
 *
 * @throws NetworkError `timed_out`, `aborted`. @throws ApiError if the host refuses or closes, for example `invalid_client_id`.
 */
export async function connect(options: ConnectionOptions): Promise<ActivityConnection> {
  const connection = new HostConnection(options)
  try {
    connection.ready = await connection.performHandshake()
    await Promise.all(options.events.map((event) => connection.command('SUBSCRIBE', {}, { event })))
  } catch (error) {
    connection.end(error)
    throw error
  }
  return connection
}

class HostConnection implements ActivityConnection {
  readonly #options: ConnectionOptions
  readonly #ended = new AbortController()
  readonly #waiting = new Map<string, { readonly name: string; readonly pending: Deferred<unknown> }>()
  readonly #handshake: Deferred<unknown>
  ready: unknown
  /** Reason of the end; undefined while connected. */
  #reason: unknown

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#handshake = this.#createDeferred('activity handshake', {})
  }

  performHandshake(): Promise<unknown> {
    const { host, handshake, closeSignal } = this.#options
    closeSignal.addEventListener('abort', () => this.#ended.abort(), { signal: this.#ended.signal })
    host.listen((message) => this.#receive(readMessage(message)), this.#ended.signal)
    host.post([HANDSHAKE, handshake])
    return this.#handshake.promise
  }

  command(name: string, args: object = {}, { event, ...options }: CommandOptions = {}): Promise<unknown> {
    if (this.#reason) return Promise.reject(this.#reason)
    const nonce = uuid()
    const pending = this.#createDeferred(`activity ${name}`, options)
    if (pending.isSettled) return pending.promise
    this.#waiting.set(nonce, { name: event ?? name, pending })
    pending.signal.addEventListener('abort', () => this.#waiting.delete(nonce))
    this.#options.host.post([FRAME, { cmd: name, args, nonce, ...(event !== undefined && { evt: event }) }])
    return pending.promise
  }

  end(reason: unknown): void {
    this.#reason = reason
    this.#ended.abort()
    this.#handshake.reject(reason)
    for (const { pending } of this.#waiting.values()) pending.reject(reason)
  }

  #createDeferred(route: string, { timeout = TIMEOUT, signal }: CommandOptions): Deferred<unknown> {
    const { clock, closeSignal } = this.#options
    return createDeferred<unknown>(clock, {
      timeout,
      signals: [signal, closeSignal],
      makeError: (code) => new NetworkError(code, route),
    })
  }

  #receive(message: HostMessage | undefined): void {
    if (message?.kind === 'close') return this.#close(message.code)
    if (message?.kind === 'event') return this.#dispatchEvent(message.event, message.data)
    if (!message) return
    const { name = '', pending } = this.#waiting.get(message.nonce) ?? {}
    if (message.kind === 'response') pending?.resolve(message.data)
    else pending?.reject(this.#refusal(name, message))
  }

  /** The host's own sentence is foreign text, and so the cause. */
  #refusal(name: string, { code, message }: { code: number; message: unknown }): ApiError {
    const refusal = nameOfRefusal(code)
    return new ApiError(refusal, `activity ${name}`, {
      status: 0,
      apiCode: code,
      ...(typeof message === 'string' && { cause: { name: 'HostError', message } }),
      ...(refusal === 'invalid_permissions' && { remedy: this.#options.permissionRemedy?.(name) }),
    })
  }

  #dispatchEvent(event: string, data: unknown): void {
    if (event === 'READY') this.#handshake.resolve(data)
    else if (this.#handshake.signal.aborted) this.#options.onEvent(event, data)
  }

  #close(code: number): void {
    const reason = new ApiError(nameOfClosing(code), 'activity', { status: 0, apiCode: code })
    this.end(reason)
    this.#options.onClose(reason)
  }
}

/** Version 4 UUID (RFC 9562) from the same random source as all other values. */
function uuid(): string {
  const bytes = atob(randomText().replace(/-/g, '+').replace(/_/g, '/'))
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
