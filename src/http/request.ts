/** One bounded HTTP exchange: a deadline that covers the body, a cap on its size, JSON only, no redirects, no cookies. */
import type { Clock } from '../foundation/clock'
import { startDeadline } from '../foundation/deadline'
import { isRecord } from '../foundation/encoding'
import { NetworkError, ProtocolError } from '../foundation/errors'

/** The largest answer that is read, in bytes. */
const MAX_BODY = 64 * 1024

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** What every request needs. `fetch` is taken once, so that a page that replaces it later changes nothing. */
export interface HttpContext {
  fetch: Fetch
  clock: Clock
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  /** The route as it may stand in an error, without host or query: `POST /oauth2/token`. */
  route: string
  /** Sent as `application/x-www-form-urlencoded`. */
  form?: URLSearchParams
  headers?: Record<string, string>
  /** ms, for head and body together. */
  timeout: number
  signal?: AbortSignal | undefined
}

/** An answer whose body was JSON. */
export interface JsonAnswer {
  status: number
  body: Readonly<Record<string, unknown>>
  /** The server's clock in epoch ms, where its `Date` header can be read. */
  date?: number
}

/**
 * Sends a request and reads a JSON object.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `malformed_response`, `response_too_large`.
 */
export async function requestJson({ fetch, clock }: HttpContext, request: HttpRequest): Promise<JsonAnswer> {
  const deadline = startDeadline(clock, request.timeout, request.signal)
  try {
    if (deadline.signal.aborted) throw new NetworkError('aborted', `${request.route} was cancelled.`)
    const response = await abortable(fetch(request.url, toInit(request, deadline.signal)), deadline.signal)
    requireJson(response, request.route)
    const text = await readText(response, request.route, deadline.signal)
    return toAnswer(response, parseObject(text, request.route))
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (deadline.expired()) throw new NetworkError('timed_out', `${request.route} had no whole answer within ${request.timeout} ms.`)
    if (deadline.signal.aborted) throw new NetworkError('aborted', `${request.route} was cancelled.`)
    throw new NetworkError('connection_failed', `${request.route} did not reach the service.`, { cause: error })
  } finally {
    deadline.release()
  }
}

function toInit({ method, form, headers }: HttpRequest, signal: AbortSignal): RequestInit {
  return {
    method,
    signal,
    headers: { accept: 'application/json', ...headers },
    ...(form && { body: form }),
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  }
}

/** A `fetch` that a game brings may ignore the signal; the caller must be freed all the same. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(new Error('aborted'))
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function requireJson(response: Response, route: string): void {
  const type = response.headers.get('content-type') ?? ''
  if (/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return
  void response.body?.cancel()
  throw new ProtocolError('malformed_response', `${route} answered ${response.status} with something that is not JSON.`, {
    expected: 'content-type: application/json',
    retryable: true,
  })
}

async function readText(response: Response, route: string, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await abortable(reader.read(), signal)
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > MAX_BODY) {
      void reader.cancel()
      throw new ProtocolError('response_too_large', `${route} answered with more than ${MAX_BODY} bytes.`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** The parser's own error is dropped: it quotes the body. */
function parseObject(text: string, route: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // Reported below together with JSON that is no object.
  }
  if (isRecord(body)) return body
  throw new ProtocolError('malformed_response', `${route} answered with something that is not a JSON object.`, {
    expected: 'a JSON object',
    retryable: true,
  })
}

function toAnswer(response: Response, body: Record<string, unknown>): JsonAnswer {
  const date = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date) ? { status: response.status, body } : { status: response.status, body, date }
}
