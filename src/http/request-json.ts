/** One HTTP request with limits: a deadline that covers the body, a maximum size, JSON only, no redirects, no cookies. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/values/guard-untrusted-values'
import { NetworkError, ProtocolError } from '../foundation/errors'
import { toNetworkError } from '../foundation/to-network-error'
import { createDeferred } from '../foundation/deferred'
import { TOKEN_TIMEOUT } from '../service/service-config'

/** Maximum length of a response, in characters. */
const MAX_BODY = 64 * 1024

/** Response header in which the emulator names the rule that rejected a request; no service sends it. */
export const EMULATOR_RULE = 'x-emulator-rule'

/** The part of `fetch` that the SDK uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** Dependencies of every request. `fetch` is captured once, so that a page that replaces it later has no effect. */
export interface HttpContext {
  /** `fetch` of the page or runtime. */
  fetch: Fetch
  /** Source of time. */
  clock: Clock
  /** The `User-Agent` header. Undefined in a page. */
  userAgent?: string | undefined
  /** Aborts every request when the client is closed. */
  closeSignal?: AbortSignal | undefined
  /** ms for a request without a time-out of its own. Default: `TOKEN_TIMEOUT`. */
  tokenTimeout?: number | undefined
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  /** Route for use in errors, without host or query: `POST /oauth2/token`. */
  route: string
  /** The `Authorization` header. */
  authorization?: string | undefined
  /** Default: no body. */
  content?: RequestContent | undefined
  /** ms for head and body together. Default: the `tokenTimeout` of the context. */
  timeout?: number
  signal?: AbortSignal | undefined
}

/**
 * A body as text with its content type. `fetch` of another realm takes no form and no blob for one of its own: it would send their names as
 * text, and a code would be spent for nothing.
 */
export interface RequestContent {
  readonly type: string
  readonly text: string
}

/** Encodes a form (RFC 6749 appendix B). */
export function formContent(fields: Readonly<Record<string, string>>): RequestContent {
  return { type: 'application/x-www-form-urlencoded;charset=UTF-8', text: new URLSearchParams(fields).toString() }
}

/** Limits of one request. */
export type RequestLimits = Pick<HttpRequest, 'route' | 'timeout' | 'signal'>

/** A response with a JSON body, or with a status that needs none. */
export interface JsonResponse {
  status: number
  body: Readonly<Record<string, unknown>>
  /** The server's time in epoch ms, if its `Date` header is readable. */
  date: number | undefined
  /** The `Retry-After` header, if readable. */
  retryAfter?: string | null
  /** Emulator only: the rule that rejected the request. */
  emulatorRule?: string | null
}

/** `requestJson` bound to a client, passed to code that loads later so that it is not bundled into a chunk of its own. */
export type SendJson = (request: HttpRequest) => Promise<JsonResponse>

/**
 * Sends a request and reads a JSON object.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `malformed_response`, `response_too_large`.
 */
export function requestJson(context: HttpContext, request: HttpRequest): Promise<JsonResponse> {
  return withinDeadline(context, request, (signal) => fetchJson(context, request, signal))
}

/**
 * Runs `work` with a deadline. The promise is settled in time even if a custom `fetch` ignores the signal.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws the error of the SDK that `work` rejects with.
 */
export function withinDeadline<T>(
  { clock, closeSignal, tokenTimeout = TOKEN_TIMEOUT }: Omit<HttpContext, 'fetch'>,
  { route, timeout = tokenTimeout, signal }: RequestLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const pending = createDeferred<T>(clock, { timeout, signals: [signal, closeSignal], makeError: (code) => new NetworkError(code, route) })
  if (!pending.signal.aborted) {
    work(pending.signal).then(pending.resolve, (error: unknown) => pending.reject(toNetworkError(error, route)))
  }
  return pending.promise
}

async function fetchJson(
  { fetch, userAgent }: HttpContext,
  { url, method, content, route, authorization }: HttpRequest,
  signal: AbortSignal,
): Promise<JsonResponse> {
  const response = await fetch(url, {
    method,
    signal,
    headers: {
      ...(userAgent && { 'user-agent': userAgent }),
      ...(authorization && { authorization }),
      ...(content && { 'content-type': content.type }),
    },
    body: content?.text ?? null,
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  })
  const { status } = response
  const isJson = /^application\/([\w-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')
  // These need no JSON body: no content, and 429 or 503, for which proxies may send a page of their own.
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
  if (!response.body) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    if (done) return text
    if (text.length <= MAX_BODY) continue
    void reader.cancel()
    throw new ProtocolError('response_too_large', route)
  }
}

/** Returns undefined for invalid JSON. The parser's own error is dropped, since it quotes the body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
