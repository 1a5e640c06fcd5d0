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
  headers: Readonly<Record<string, string>>
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
  return (request) => {
    const { url, method, headers, body } = request
    const root = url.indexOf('/', url.indexOf('//') + 2)
    const receiver = new Receiver(request.route, decoder)
    const answer = new Promise<TransportAnswer>((resolve, reject) => {
      receiver.settle = { resolve, reject }
      dispatcher.dispatch({ origin: url.slice(0, root), path: url.slice(root), method, headers, body }, receiver)
    })
    return { answer, abort: () => receiver.abort() }
  }
}

interface Settle {
  resolve: (answer: TransportAnswer) => void
  reject: (reason: unknown) => void
}

/** Takes one answer in. */
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

  /** Before a connection is free, or while the answer comes. */
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
