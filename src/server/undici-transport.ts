/** Transport over an `undici` pool, with much less overhead than `fetch`. */
import { ConfigurationError, ProtocolError } from '../shared/foundation/errors'
import {
  MAX_BODY,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from '../shared/http/http-client'

/** Required method of an `undici` dispatcher: `Pool`, `Client` or `Agent`, version 7 or later. */
export interface UndiciDispatcher {
  /** Starts a request. Returns false if the dispatcher is busy. */
  dispatch(options: UndiciRequest, handler: UndiciHandler): boolean
}

/** Request options of an `undici` dispatcher. */
export interface UndiciRequest {
  origin: string
  path: string
  method: TransportRequest['method']
  headers: Readonly<Record<string, string>>
  body: TransportRequest['body']
}

/** Callbacks of an `undici` request. */
export interface UndiciHandler {
  onRequestStart(controller: UndiciController): void
  onResponseStart(controller: UndiciController, status: number, headers: UndiciHeaders): void
  onResponseData(controller: UndiciController, chunk: Uint8Array): void
  onResponseEnd(controller: UndiciController): void
  onResponseError(controller: UndiciController, error: Error): void
}

/** Handle of a running `undici` request. */
export interface UndiciController {
  abort(reason: Error): void
}

/** Response headers with lower-case names. */
export type UndiciHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * Creates a transport over an `undici` dispatcher. The caller opens and closes the pool. For the highest throughput, use as many
 * connections as concurrent calls.
 *
 * @example
 * ```ts
 * const pool = new Pool('https://service.example', { connections: 16 })
 * const client = new ApplicationClient({ applicationId, service, credentials, transport: undiciTransport(pool) })
 * ```
 *
 * @throws ConfigurationError `unsupported` if the dispatcher has no `dispatch`, as in Bun.
 */
export function undiciTransport(dispatcher: UndiciDispatcher): Transport {
  if (typeof dispatcher?.dispatch !== 'function')
    throw new ConfigurationError('unsupported', 'dispatch', {
      remedy: 'Use a Pool of the package undici. Bun replaces that package: omit `transport` there',
    })
  const decoder = new TextDecoder()
  return (request) => {
    const { url, method, headers, body } = request
    const root = url.indexOf('/', url.indexOf('//') + 2)
    const receiver = new Receiver(request.route, decoder)
    const response = new Promise<TransportAnswer>((resolve, reject) => {
      receiver.settle = { resolve, reject }
      dispatcher.dispatch(
        { origin: url.slice(0, root), path: url.slice(root), method, headers, body },
        receiver,
      )
    })
    return { answer: response, abort: () => receiver.abort() }
  }
}

interface Settle {
  resolve: (answer: TransportAnswer) => void
  reject: (reason: unknown) => void
}

/** Receives one response. */
class Receiver implements UndiciHandler {
  settle: Settle | undefined
  readonly #route: string
  readonly #decoder: TextDecoder
  readonly #chunks: Uint8Array[] = []
  #size = 0
  #status = 0
  #headers: UndiciHeaders = {}
  #controller: UndiciController | undefined
  #isAborted = false

  constructor(route: string, decoder: TextDecoder) {
    this.#route = route
    this.#decoder = decoder
  }

  /** Works before a connection is available and during the response. */
  abort(): void {
    this.#isAborted = true
    this.#controller?.abort(new Error('aborted'))
  }

  onRequestStart(controller: UndiciController): void {
    this.#controller = controller
    if (this.#isAborted) this.abort()
  }

  onResponseStart(_: UndiciController, status: number, headers: UndiciHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: UndiciController, chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#size += chunk.byteLength
    if (this.#size > MAX_BODY) controller.abort(new ProtocolError('response_too_large', this.#route))
  }

  onResponseEnd(): void {
    const headers = this.#headers
    const header = (name: string): string | null => {
      const value = headers[name]
      return typeof value === 'object' ? value.join(', ') : (value ?? null)
    }
    this.settle?.resolve({ status: this.#status, header, text: this.#decoder.decode(this.#whole()) })
  }

  onResponseError(_: UndiciController, error: Error): void {
    this.settle?.reject(error)
  }

  #whole(): Uint8Array {
    const [first = new Uint8Array()] = this.#chunks
    if (this.#chunks.length < 2) return first
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const chunk of this.#chunks) {
      whole.set(chunk, at)
      at += chunk.byteLength
    }
    return whole
  }
}
