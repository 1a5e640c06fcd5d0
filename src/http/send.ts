/** One bounded exchange of the REST interface: a deadline that covers the body, any JSON, or none. */
// Beside `request.ts`, which every game loads and which therefore does only what signing in needs.
import type { Clock } from '../foundation/clock'
import { NetworkError } from '../foundation/errors'
import { toNetworkError } from '../foundation/to-network-error'
import type { AbortGroup } from '../foundation/abort-group'
import type { Transport, TransportAnswer, TransportRequest } from './transport'

export interface SendContext {
  transport: Transport
  clock: Clock
  /** Ends when the client is closed, and every request with it. */
  abortGroup?: AbortGroup | undefined
}

export interface SendRequest extends TransportRequest {
  /** ms, for head and body together. */
  timeout: number
  signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  /** A header by its name in lower case; null when it is absent or hidden. */
  readonly header: (name: string) => string | null
  /** Undefined for no body, and for one that is no JSON. */
  readonly body: unknown
}

/**
 * Sends a request and reads its whole answer, whatever its status. A transport that a game brings may not heed `abort`; the caller is
 * freed all the same.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `response_too_large`.
 */
export function sendJson({ transport, clock, abortGroup }: SendContext, request: SendRequest): Promise<HttpAnswer> {
  const { route, timeout, signal } = request
  if (signal?.aborted || abortGroup?.aborted) return Promise.reject(new NetworkError('aborted', route))
  return new Promise((resolve, reject) => {
    const { answer, abort } = transport(request)
    const stop = () => fail(new NetworkError('aborted', route))
    const cancelTimer = clock.after(timeout, () => fail(new NetworkError('timed_out', route)))
    const place = abortGroup?.add(stop)
    signal?.addEventListener('abort', stop)

    function release(): void {
      cancelTimer()
      if (place !== undefined) abortGroup?.remove(place)
      signal?.removeEventListener('abort', stop)
    }
    function fail(error: NetworkError): void {
      release()
      reject(error)
      abort()
    }
    function succeed({ status, header, text }: TransportAnswer): void {
      release()
      resolve({ status, header, body: parse(text) })
    }
    function lose(error: unknown): void {
      release()
      reject(toNetworkError(error, route))
    }
    answer.then(succeed, lose)
  })
}

/** The parser's own error is dropped: it quotes the body. */
function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
