/** HTTP client of the SDK: one request with a deadline that covers the body, a maximum size, no redirects and no cookies. */
import { type AbortGroup, createDeferred } from '../foundation/async'
import type { Clock } from '../foundation/clock'
import { cleanCause } from '../foundation/error-text'
import { NetworkError, type ErrorDetails, FoyerError, ProtocolError } from '../foundation/errors'
import { isPage } from '../foundation/platform'
import { ownFields, isRecord, readJson } from '../foundation/untrusted-values'
import { TOKEN_TIMEOUT } from '../service/service-config'

// Port of the client: what sends a request and reads its response. The default is `fetch`.

/** Maximum length of a response, in characters: enough for every command that a scope may have. */
export const MAX_BODY = 32 * 1024 * 1024

/** HTTP methods that the SDK uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request of the REST client. */
export interface TransportRequest {
  /** HTTP method. */
  readonly method: Method
  /** Full URL. */
  readonly url: string
  /** Route for use in errors, without host or ids: `GET /lobbies/{lobby.id}`. */
  readonly route: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or multipart as bytes; null for no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

/** A response of the REST client. */
export interface TransportAnswer {
  /** HTTP status. */
  readonly status: number
  /** Returns a header by its lower-case name; null if it is absent or not readable. */
  readonly header: (name: string) => string | null
  /** The whole body; empty if there was none. */
  readonly text: string
}

/** A running request. */
export interface Transfer {
  /** Rejects if no response arrives. An error with a `code` for a connection that was never made marks the request as safe to retry. */
  readonly answer: Promise<TransportAnswer>
  /** Cancels the request: its result is no longer needed. */
  readonly abort: () => void
}

/**
 * Sends a request once and reads the whole response, whatever its status. Follows no redirects, stores no cookies, reads 32 MiB at most.
 * Never throws.
 */
export type Transport = (request: TransportRequest) => Transfer

// `fetch`: a request goes to its address and nowhere else, and a failure of the platform becomes an error of the SDK.

/** The part of `fetch` that the SDK uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

const REDIRECTS: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308])

/**
 * Calls `fetch` once. In a page, the browser refuses a redirect without its status. Everywhere else `manual` shows the status, and some runtimes
 * (Workers) know no other way.
 * @throws NetworkError `redirected`, with the status and never with the address. @throws whatever `fetch` rejects with.
 */
export async function fetchUnfollowed(
  fetch: Fetch,
  { url, route }: { url: string; route: string },
  init: RequestInit,
): Promise<Response> {
  const redirect = isPage() ? 'error' : 'manual'
  // Own fields only: the platform reads inherited ones too, such as `integrity`, `keepalive` or `mode`.
  const own = ownFields({ ...init, redirect, credentials: 'omit', referrerPolicy: 'no-referrer' } as const)
  const response = await fetch(url, own)
  try {
    refuseRedirect(response.status, route)
  } catch (error) {
    void response.body?.cancel().catch(() => undefined)
    throw error
  }
  return response
}

/** For every transport. Status 0 is a redirect whose status the runtime hides. @throws NetworkError `redirected`. */
export function refuseRedirect(status: number, route: string): void {
  if (REDIRECTS.has(status)) throw new NetworkError('redirected', `${route} ${status}`, { retryable: false })
}

// Failures of the platform's `fetch`.

/** Browsers do not tell a page why a request failed. */
const IN_PAGE = 'Is the service running, and do the Content Security Policy (connect-src) and CORS allow it?'
/** Codes of Node, Bun, Deno and Electron, and what to do. */
const BY_CODE: readonly (readonly [RegExp, string])[] = [
  [
    /^(ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED)$/,
    'The host name has no address: check service.host, and the DNS of this machine',
  ],
  [
    /^(ECONNREFUSED|ConnectionRefused|ERR_CONNECTION_REFUSED)$/,
    'Nothing listens there: start the service, or correct the port of service.host',
  ],
  [
    /^ERR_CERT/,
    "The service's certificate is not trusted: check the host, or add its authority to those of the system",
  ],
  [/^ERR_(PROXY|TUNNEL)/, "The system's proxy does not connect: check its settings"],
  [
    /CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS/,
    "The service's certificate is not trusted: check the host, or give its authority in NODE_EXTRA_CA_CERTS",
  ],
]

/**
 * Wraps an unknown failure in NetworkError `connection_failed`. Errors of the SDK are returned as they are. `route` is a method and a path,
 * never a full URL.
 */
export function toNetworkError(
  error: unknown,
  route: string,
  details?: Pick<ErrorDetails, 'remedy'>,
): FoyerError {
  if (error instanceof FoyerError) return error
  return new NetworkError('connection_failed', route, { cause: error, remedy: remedyFor(error), ...details })
}

function remedyFor(error: unknown): string {
  const code = systemCode(error)
  if (code === undefined) return isPage() ? IN_PAGE : `Is the service running? (${reasonOf(error)})`
  return `${BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'Is the service running?'} (${code})`
}

/** The innermost cause in one line, for example what a runtime does not support. */
function reasonOf(error: unknown): string {
  let reason = cleanCause(error)
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  return String(reason)
}

/** `fetch` of Node reports the code in the cause. */
function systemCode(error: unknown, depth = 0): string | undefined {
  if (!isRecord(error) || depth > 3) return undefined
  const { code, cause } = error
  return typeof code === 'string' && /^[\w-]{3,64}$/.test(code) ? code : systemCode(cause, depth + 1)
}

// Requests.

/** Response header in which the emulator names the rule that rejected a request; no service sends it. */
export const EMULATOR_RULE = 'x-emulator-rule'

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
  /** True if any content is accepted, and ignored. */
  isStatusEnough?: boolean
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
  return {
    type: 'application/x-www-form-urlencoded;charset=UTF-8',
    text: new URLSearchParams(fields).toString(),
  }
}

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
 * Sends a request and requires a JSON object.
 * @throws the errors of `sendRequest`. @throws ProtocolError `malformed_response`.
 */
export async function requestJson(context: HttpContext, request: HttpRequest): Promise<JsonResponse> {
  const { fetch, tokenTimeout = TOKEN_TIMEOUT } = context
  const sent = { timeout: tokenTimeout, ...request, ...headAndBody(request, context) }
  return toJsonResponse(
    request,
    await sendRequest({ ...context, transport: fetchTransport(fetch, OBJECT) }, sent),
  )
}

/** Headers and body of a request. */
export function headAndBody(
  request: HttpRequest,
  { userAgent }: Pick<HttpContext, 'userAgent'>,
): Pick<SendRequest, 'headers' | 'body'> {
  const { content, authorization } = ownFields(request)
  const headers = {
    ...(userAgent && { 'user-agent': userAgent }),
    ...(authorization && { authorization }),
    ...(content && { 'content-type': content.type }),
  }
  return { headers, body: content?.text ?? null }
}

/** Requires a JSON object where one is needed. @throws ProtocolError `malformed_response`. */
export function toJsonResponse(
  { route, isStatusEnough }: HttpRequest,
  { status, header, body }: HttpResponse,
): JsonResponse {
  // These need no JSON body: no content, and 429 or 503, for which proxies may send a page of their own.
  const isBodyless = isStatusEnough ? !isRecord(body) : !isJson(header) && [204, 429, 503].includes(status)
  const object = isBodyless ? {} : body
  if (!isRecord(object))
    throw new ProtocolError('malformed_response', `${route} ${status}`, { retryable: true })
  const date = Date.parse(header('date') ?? '') || undefined
  return {
    status,
    body: object,
    date,
    retryAfter: header('retry-after'),
    emulatorRule: header(EMULATOR_RULE),
  }
}

export interface SendContext {
  transport: Transport
  clock: Clock
  /** Both cancel every request when the client is closed. The group is for clients with many requests at a time. */
  abortGroup?: AbortGroup
  closeSignal?: AbortSignal | undefined
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
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`, `redirected`. @throws ProtocolError `response_too_large`.
 */
export function sendRequest(
  { transport, clock, abortGroup, closeSignal }: SendContext,
  request: SendRequest,
): Promise<HttpResponse> {
  const { route, timeout, signal } = ownFields(request)
  let transfer: Transfer | undefined
  const makeError = (code: 'aborted' | 'timed_out') => {
    // A transport of a game may throw, and the caller still has to learn the outcome.
    try {
      transfer?.abort()
    } catch {}
    return new NetworkError(code, route)
  }
  const pending = createDeferred<HttpResponse>(clock, {
    timeout,
    signals: [signal, closeSignal],
    group: abortGroup,
    makeError,
  })
  if (!pending.isSettled) {
    const fail = (error: unknown) => pending.reject(toNetworkError(error, route))
    const receive = ({ status, header, text }: TransportAnswer) => {
      try {
        refuseRedirect(status, route)
        pending.resolve({ status, header, body: readJson(text), isEmpty: text === '' })
      } catch (error) {
        fail(error)
      }
    }
    try {
      transfer = transport(request)
      transfer.answer.then(receive, fail)
    } catch (error) {
      fail(error)
    }
  }
  return pending.promise
}

/** Reads at most `max` characters of a response. With `isObject`, a body that is no JSON, such as a page of a proxy, is not downloaded. */
interface Reading {
  readonly max: number
  readonly isObject?: boolean
}

const OBJECT: Reading = { max: 64 * 1024, isObject: true }

/** A runtime without caches may refuse the field, as Workers did before 2024-12. */
const withoutCache = (): RequestInit =>
  globalThis.Request && 'cache' in Request.prototype ? { cache: 'no-store' } : {}

/** Transport over `fetch`. */
export function fetchTransport(fetch: Fetch, reading: Reading = { max: MAX_BODY }): Transport {
  return ({ url, route, method, headers, body }) => {
    const controller = new AbortController()
    const { signal } = controller
    const init = { method, headers, body, signal, ...withoutCache() }
    const answer = fetchUnfollowed(fetch, { url, route }, init).then(async (response) => ({
      status: response.status,
      header: (name: string) => response.headers.get(name),
      text: await readText(response, route, reading),
    }))
    return { answer, abort: () => controller.abort() }
  }
}

async function readText(response: Response, route: string, { max, isObject }: Reading): Promise<string> {
  const { headers, body } = response
  if (isObject && !isJson((name) => headers.get(name))) {
    void body?.cancel().catch(() => undefined)
    return ''
  }
  const length = headers.get('content-length')
  // `text()` is the fastest, and safe if the size is given beforehand.
  if (length !== null && Number(length) <= max && !headers.has('content-encoding')) return response.text()
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    if (done) return text
    if (text.length <= max) continue
    void reader.cancel()
    throw new ProtocolError('response_too_large', route)
  }
}

const isJson = (header: HttpResponse['header']): boolean =>
  /^application\/([\w-]+\+)?json\b/i.test(header('content-type') ?? '')

const OF_INTERFACE = /\/oauth2\/(token(\/revoke)?|device\/authorize|keys)$/

/**
 * Names an OAuth endpoint in errors: by the interface's path if the address ends with it (`/oauth2/token`), otherwise by the configured one
 * (`/realms/game/token`).
 */
export function endpointRoute(url: string): string {
  const { pathname } = new URL(url)
  return OF_INTERFACE.exec(pathname)?.[0] ?? pathname
}
