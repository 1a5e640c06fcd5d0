/** One HTTP request of the REST API with limits: a deadline that covers the body, and any JSON or no body. */
// Separate from `request-json.ts`, which every game loads and which therefore contains only what sign-in needs.
import type { Clock } from '../foundation/clock'
import { NetworkError } from '../foundation/errors'
import { listenToAbort, requireSignal } from '../foundation/listen-to-abort'
import { toNetworkError } from '../foundation/to-network-error'
import type { AbortGroup } from '../foundation/abort-group'
import type { Transport, TransportAnswer, TransportRequest } from './transport'

export interface SendContext {
  transport: Transport
  clock: Clock
  /** Cancels every request when the client is closed. */
  abortGroup: AbortGroup
}

export interface SendRequest extends TransportRequest {
  /** ms for head and body together. */
  timeout: number
  signal?: AbortSignal | undefined
}

export interface HttpResponse {
  readonly status: number
  /** Returns a header by its lower-case name; null if it is absent or not readable. */
  readonly header: (name: string) => string | null
  /** Decoded JSON; undefined if the body is empty or invalid. */
  readonly body: unknown
  readonly isEmpty: boolean
}

/**
 * Sends a request and reads the whole response, whatever its status. The promise is settled in time even if a custom transport ignores
 * `abort`.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `response_too_large`.
 */
export function sendJson({ transport, clock, abortGroup }: SendContext, request: SendRequest): Promise<HttpResponse> {
  const { route, timeout, signal } = request
  if (signal?.aborted || abortGroup.aborted) return Promise.reject(new NetworkError('aborted', route))
  return new Promise((resolve, reject) => {
    // Before the request: from here on nothing may throw.
    requireSignal(signal)
    const { answer, abort } = transport(request)
    const stop = () => fail(new NetworkError('aborted', route))
    const cancelTimer = clock.after(timeout, () => fail(new NetworkError('timed_out', route)))
    const handle = abortGroup.add(stop)
    const forget = listenToAbort(signal, stop)

    function release(): void {
      cancelTimer()
      abortGroup.remove(handle)
      forget()
    }
    function fail(error: NetworkError): void {
      release()
      reject(error)
      abort()
    }
    function succeed({ status, header, text }: TransportAnswer): void {
      release()
      resolve({ status, header, body: parse(text), isEmpty: text === '' })
    }
    function rejectWith(error: unknown): void {
      release()
      reject(toNetworkError(error, route))
    }
    answer.then(succeed, rejectWith)
  })
}

/** The parser's own error is dropped, since it quotes the body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
