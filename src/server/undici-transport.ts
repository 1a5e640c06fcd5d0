/** Carries calls over an `undici` pool, which costs a fraction of what `fetch` does. */
import { ProtocolError } from '../foundation/errors'
import { MAX_BODY, type Transport, type TransportAnswer, type TransportRequest } from '../http/transport'

/** What is needed of an `undici` dispatcher; a `Pool`, a `Client` and an `Agent` of version 7 and later each are one. */
export interface UndiciDispatcher {
  dispatch(options: UndiciRequest, handler: UndiciHandler): boolean
}

export interface UndiciRequest {
  origin: string
  path: string
  method: TransportRequest['method']
  headers: Record<string, string>
  body: string | null
}

export interface UndiciHandler {
  onRequestStart(controller: UndiciController): void
  onResponseStart(controller: UndiciController, status: number, headers: UndiciHeaders): void
  onResponseData(controller: UndiciController, chunk: Uint8Array): void
  onResponseEnd(controller: UndiciController): void
  onResponseError(controller: UndiciController, error: Error): void
}

export interface UndiciController {
  abort(reason: Error): void
}

export type UndiciHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The pool stays yours: this neither opens nor closes it. A pool with as many connections as calls may be under way is the fastest. */
export function undiciTransport(dispatcher: UndiciDispatcher): Transport {
  const decoder = new TextDecoder()
  return (request) =>
    new Promise((resolve, reject) => {
      const { url, method, headers, body, signal } = request
      const root = url.indexOf('/', url.indexOf('//') + 2)
      const handler = new Receiver(request, decoder, { resolve, reject })
      signal.addEventListener('abort', handler)
      dispatcher.dispatch({ origin: url.slice(0, root), path: url.slice(root), method, headers: { ...headers }, body }, handler)
    })
}

interface Settle {
  resolve: (answer: TransportAnswer) => void
  reject: (reason: unknown) => void
}

/** Takes one answer in. */
class Receiver implements UndiciHandler {
  readonly #request: TransportRequest
  readonly #decoder: TextDecoder
  readonly #settle: Settle
  readonly #chunks: Uint8Array[] = []
  #size = 0
  #status = 0
  #headers: UndiciHeaders = {}
  #controller: UndiciController | undefined

  constructor(request: TransportRequest, decoder: TextDecoder, settle: Settle) {
    this.#request = request
    this.#decoder = decoder
    this.#settle = settle
  }

  /** Of the signal. Whoever waited has been freed already. */
  handleEvent(): void {
    this.#controller?.abort(new Error('aborted'))
  }

  onRequestStart(controller: UndiciController): void {
    this.#controller = controller
    if (this.#request.signal.aborted) this.handleEvent()
  }

  onResponseStart(_: UndiciController, status: number, headers: UndiciHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: UndiciController, chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#size += chunk.byteLength
    if (this.#size > MAX_BODY) controller.abort(new ProtocolError('response_too_large', this.#request.route))
  }

  onResponseEnd(): void {
    const headers = this.#headers
    const header = (name: string): string | null => {
      const value = headers[name]
      return typeof value === 'object' ? value.join(', ') : (value ?? null)
    }
    this.#settle.resolve({ status: this.#status, header, text: this.#decoder.decode(this.#whole()) })
  }

  onResponseError(_: UndiciController, error: Error): void {
    this.#settle.reject(error)
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
