/** One bounded HTTP exchange: a deadline that covers the body, a cap on its size, JSON only, no redirects, no cookies. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import { NetworkError, ProtocolError } from '../foundation/errors'
import { toNetworkError } from '../foundation/to-network-error'
import { createDeferred } from '../foundation/deferred'

/** The largest answer that is read, in characters. */
const MAX_BODY = 64 * 1024

/** The emulator names the rule that refused a request in this header; no service sends it. */
export const EMULATOR_RULE = 'x-emulator-rule'

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** What every request needs. `fetch` is taken once, so that a page that replaces it later changes nothing. */
export interface HttpContext {
  fetch: Fetch
  clock: Clock
  /** Aborts when the client is closed, and every request with it. */
  closeSignal?: AbortSignal
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  /** The route as it may stand in an error, without host or query: `POST /oauth2/token`. */
  route: string
  /** Sent as `application/x-www-form-urlencoded`. */
  form?: URLSearchParams | undefined
  /** Sent instead of a form, under its own type. */
  content?: Blob | undefined
  /** ms, for head and body together. */
  timeout: number
  signal?: AbortSignal | undefined
}

/** Of one exchange. */
export type Limits = Pick<HttpRequest, 'route' | 'timeout' | 'signal'>

/** An answer whose body was JSON, or that needs none. */
export interface JsonAnswer {
  status: number
  body: Readonly<Record<string, unknown>>
  /** The server's clock in epoch ms, where its `Date` header can be read. */
  date: number | undefined
  /** The `Retry-After` header, where it can be read. */
  retryAfter?: string | null
  /** Against the emulator: the rule that refused. */
  emulatorRule?: string | null
}

/** `requestJson` of one client, handed on to code that loads later: none of it is then a file of its own. */
export type SendJson = (request: HttpRequest) => Promise<JsonAnswer>

/**
 * Sends a request and reads a JSON object.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `malformed_response`, `response_too_large`.
 */
export function requestJson(context: HttpContext, request: HttpRequest): Promise<JsonAnswer> {
  return withinDeadline(context, request, (signal) => exchange(context.fetch, request, signal))
}

/**
 * Runs an exchange until its time is up. A `fetch` that a game brings may ignore the signal; the caller is freed all the same.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws whatever of our own errors the work rejects with.
 */
export function withinDeadline<T>(
  { clock, closeSignal }: Omit<HttpContext, 'fetch'>,
  { route, timeout, signal }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const pending = createDeferred<T>(clock, { timeout, signals: [signal, closeSignal], makeError: (code) => new NetworkError(code, route) })
  if (!pending.signal.aborted) {
    work(pending.signal).then(pending.resolve, (error: unknown) => pending.reject(toNetworkError(error, route)))
  }
  return pending.promise
}

async function exchange(fetch: Fetch, { url, method, form, content, route }: HttpRequest, signal: AbortSignal): Promise<JsonAnswer> {
  const response = await fetch(url, {
    method,
    signal,
    body: form ?? content ?? null,
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  })
  const { status } = response
  const isJson = /^application\/([\w-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')
  // Some say all by their status: no content, and a service or a proxy that asks for time, with or without a page of its own.
  const body = isJson ? parse(await readText(response, route)) : [204, 429, 503].includes(status) ? {} : undefined
  if (!isRecord(body)) throw new ProtocolError('malformed_response', `${route} ${status}`, { retryable: true })
  const { headers } = response
  return {
    status,
    body,
    date: Date.parse(headers.get('date') ?? '') || undefined,
    retryAfter: headers.get('retry-after'),
    emulatorRule: headers.get(EMULATOR_RULE),
  }
}

async function readText(response: Response, route: string): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    text += decoder.decode(value, { stream: !done })
    if (done) return text
    if (text.length <= MAX_BODY) continue
    void reader?.cancel()
    throw new ProtocolError('response_too_large', route)
  }
}

/** Undefined for what is no JSON. The parser's own error is dropped: it quotes the body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
