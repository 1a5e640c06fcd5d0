/** Client of the service's REST API: inserts ids into paths, encodes and decodes JSON, throws typed errors, and applies rate limits. */
import { type AbortGroup, listenToAbort } from '../foundation/async'
import { type ApiError, ConfigurationError, ProtocolError } from '../foundation/errors'
import { ID_REMEDY, isSnowflake } from '../foundation/ids'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import type { Secret } from '../foundation/secret'
import { isText, ownFields } from '../foundation/untrusted-values'
import type { BucketSpec } from '../rate-limit/bucket'
import type { Priority } from '../rate-limit/fair-queue'
import type { RateLimiter } from '../rate-limit/rate-limiter'
import { type ServiceConfig, userAgent } from '../service/service-config'
import { apiError } from './api-error'
import type { CheckedBody } from './checked-body'
import {
  EMULATOR_RULE,
  headAndBody,
  type HttpRequest,
  type HttpResponse,
  type JsonResponse,
  sendRequest,
  type SendContext,
  toJsonResponse,
  type Method,
} from './http-client'
import { sendRateLimited } from './retry'

// Port that supplies the `Authorization` header of requests.

/** Credentials of a caller, and the session that they belong to. */
export interface Credentials {
  /** The value of the header, for example `Bot …`. */
  header(): string | Promise<string>
  /** Called after a 401 for this value. Resolves with true if `header()` now returns another value, so that a retry makes sense. */
  renew(refused: string): Promise<boolean>
  /** Kind of the credentials, for calls that only some kinds may make. */
  readonly kind?: 'bot' | 'application' | 'user'
  /** Secret of the application, if these credentials hold it. */
  readonly clientSecret?: Secret | undefined
  /** The player whose limits apply; absent for the application. */
  readonly userId?: string | undefined
  /** Called immediately before a request is sent. @throws SessionError if the session that made the call is over. */
  requireCurrent?(): void
  /** Calls back when that session ends. Returns a function that removes the callback. */
  onEnd?(callback: () => void): () => void
}

// Calls.

export interface ApiCall {
  method: Method
  /** Path with placeholders in braces: `/applications/{application.id}/commands`. */
  route: string
  /** Values of the placeholders. Snowflakes only, except `instance.id`. */
  ids: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON. Only a check makes one. */
  body?: CheckedBody | undefined
  /** True if the response of a success may be empty. Default: for `DELETE` only. */
  mayBeEmpty?: boolean
  /** Default `normal`. */
  priority?: Priority | undefined
  /** False for background work, which a 429 slows down instead of repeating it. */
  repeatsRefused?: boolean | undefined
  /** ms that it may wait for its rate limits. Default: that of the client. */
  maxWait?: number | undefined
  signal?: AbortSignal | undefined
}

/** The part of a rate limiter that sends need. */
export type Limiter = Pick<RateLimiter, 'acquire'>

export interface ApiOptions extends SendContext {
  abortGroup: AbortGroup
  clock: MonotonicClock
  service: ServiceConfig
  credentials: Credentials
  /** ms per request; time spent waiting for a rate limit does not count. */
  timeout: number
  limiter: Limiter
  bucketsOf: (call: ApiCall, userId: string | undefined) => readonly BucketSpec[]
  /** ms that a call may wait for its rate limits in total. */
  maxWait: number
  /** Called with each error response before the call rejects. */
  onRefused?: ((error: ApiError, route: string) => void) | undefined
}

/** Calls the REST API with one set of credentials. */
export class Api {
  readonly #options: ApiOptions
  readonly #userAgent: string | undefined
  readonly #userId: string | undefined
  /** True if the credentials are of a session, which may end. Others cost less: a game's own may be behind a proxy. */
  readonly #isOfSession: boolean

  constructor(options: ApiOptions) {
    const { service, credentials } = options
    this.#options = options
    this.#userAgent = userAgent(service.brand)
    this.#userId = credentials.userId
    this.#isOfSession = 'requireCurrent' in credentials || 'onEnd' in credentials
  }

  /** The same API with other credentials, and with what is given for each client. They share rate limits and connections. */
  as(credentials: Credentials, change?: (options: ApiOptions) => Partial<ApiOptions>): Api {
    return new Api({ ...this.#options, credentials, ...change?.(this.#options) })
  }

  /**
   * Sends a call as soon as its rate limits allow. Retries after a 429, after a failed connection, after other failures if the method is
   * idempotent, and after a 401 if the credentials could be refreshed.
   * @throws RateLimitError `rate_limited`, `too_many_refusals`. @throws ApiError for an error response.
   * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `malformed_response`, `response_too_large`.
   * @throws ConfigurationError `invalid_argument` for an invalid id, `closed`.
   */
  send(call: ApiCall): Promise<HttpResponse> {
    return this.#exchange(call, (response, own) => this.#requireSuccess(response, own))
  }

  /** Like `send`, but resolves with error responses too. @throws the other errors of `send`. */
  exchange(call: ApiCall): Promise<HttpResponse> {
    return this.#exchange(call, (response) => response)
  }

  #requireSuccess(response: HttpResponse, call: ApiCall): HttpResponse {
    const { status, body, header, isEmpty } = response
    const { method, mayBeEmpty = method === 'DELETE' } = call
    // What a session has asked for is for no other one, and its end is the reason why its token was refused.
    if (status === 401 || method === 'GET') this.#requireCurrent()
    if (status >= 400) {
      const error = apiError({ status, body, route: routeOf(call), emulatorRule: header(EMULATOR_RULE) })
      this.#options.onRefused?.(error, routeOf(call))
      throw error
    }
    if (body === undefined && !(isEmpty && (mayBeEmpty || status === 204)))
      throw new ProtocolError('malformed_response', `${routeOf(call)} ${status}`, { retryable: true })
    return response
  }

  /** @param take receives the final response, and the call as it was sent. */
  async #exchange(
    given: ApiCall,
    take: (response: HttpResponse, call: ApiCall) => HttpResponse,
  ): Promise<HttpResponse> {
    const call = ownFields(given)
    const url = this.#url(call)
    const { credentials } = this.#options
    // Before waiting for rate limits: a missing token must not count as a lost request.
    const authorization = await credentials.header()
    const firstResponse = await this.#sendLimited(call, url, authorization)
    const canRetry = firstResponse.status === 401 && (await credentials.renew(authorization))
    if (!canRetry) return take(firstResponse, call)
    return take(await this.#sendLimited(call, url, await credentials.header()), call)
  }

  /**
   * Sends a request for tokens, whose credentials are in itself, as soon as the limits allow. It is repeated only if the service cannot have
   * processed it.
   * @throws RateLimitError, NetworkError, ProtocolError as `send`. Resolves with every other response.
   */
  async sendJson(request: HttpRequest): Promise<JsonResponse> {
    const { bucketsOf, maxWait, timeout } = this.#options
    const { method, route, signal } = ownFields(request)
    const buckets = bucketsOf({ method, route: route.slice(method.length + 1), ids: {} }, undefined)
    const sent = { timeout, ...request, ...headAndBody(request, { userAgent: this.#userAgent }) }
    const send = () => sendRequest(this.#options, sent)
    const limited = { method, route, buckets, fairnessKey: '', maxWait, signal, send }
    return toJsonResponse(request, await sendRateLimited(this.#options, limited))
  }

  #url({ route, ids, query }: ApiCall): string {
    let url = this.#options.service.baseUrl
    let end = 0
    for (let open = route.indexOf('{'); open >= 0; open = route.indexOf('{', end)) {
      const close = route.indexOf('}', open)
      const name = route.slice(open + 1, close)
      const id = ids[name]
      if (!isSnowflake(id) && !(name === 'instance.id' && isText(id, /^[\w-]{1,128}$/)))
        throw new ConfigurationError('invalid_argument', name, { remedy: ID_REMEDY })
      url += route.slice(end, open) + id
      end = close + 1
    }
    return url + route.slice(end) + (query ? `?${new URLSearchParams(query).toString()}` : '')
  }

  /** @throws SessionError if the session of the credentials is over. */
  #requireCurrent(): void {
    if (this.#isOfSession) this.#options.credentials.requireCurrent?.()
  }

  /** Runs work that waits. It ends with `signed_out` when the session of the credentials ends. */
  whileCurrent<Result>(
    given: AbortSignal | undefined,
    work: (signal?: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.#isOfSession ? this.#untilEnd(given, work) : work(given)
  }

  async #untilEnd<Result>(
    given: AbortSignal | undefined,
    work: (signal?: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { credentials } = this.#options
    const { signal, release } = untilEnd(given, credentials)
    try {
      return await work(signal)
    } catch (error) {
      if (!given?.aborted) this.#requireCurrent()
      throw error
    } finally {
      release()
    }
  }

  #sendLimited(call: ApiCall, url: string, authorization: string): Promise<HttpResponse> {
    const { bucketsOf } = this.#options
    const { method, priority, repeatsRefused, maxWait = this.#options.maxWait } = call
    const send = (signal: AbortSignal | undefined) =>
      sendRateLimited(this.#options, {
        method,
        route: routeOf(call),
        buckets: bucketsOf(call, this.#userId),
        fairnessKey: fairnessKeyOf(call),
        maxWait,
        priority,
        repeatsRefused,
        signal,
        send: () => this.#sendOnce(call, url, authorization),
      })
    return this.#isOfSession ? this.#untilEnd(call.signal, send) : send(call.signal)
  }

  #sendOnce(
    { method, route, body, headers, signal }: ApiCall,
    url: string,
    authorization: string,
  ): Promise<HttpResponse> {
    const { timeout } = this.#options
    this.#requireCurrent()
    // Field by field: spreading objects takes a notable part of a call's time.
    const sent: Record<string, string> = { accept: 'application/json', authorization }
    if (this.#userAgent) sent['user-agent'] = this.#userAgent
    if (body !== undefined) sent['content-type'] = 'application/json'
    if (headers) Object.assign(sent, headers)
    return sendRequest(this.#options, {
      method,
      url,
      route: `${method} ${route}`,
      headers: sent,
      body: body?.text ?? null,
      timeout,
      signal,
    })
  }
}

/** Key for fair queueing: requests of one lobby or guild do not hold up those of others. */
export const fairnessKeyOf = ({ ids }: Pick<ApiCall, 'ids'>): string =>
  ids['lobby.id'] ?? ids['guild.id'] ?? ''

/** Method and route, for use in errors. */
const routeOf = ({ method, route }: ApiCall): string => `${method} ${route}`

/** A signal that aborts with the call's own signal, or with the end of its session. */
function untilEnd(
  signal: AbortSignal | undefined,
  credentials: Credentials,
): { signal: AbortSignal; release: () => void } {
  const ended = new AbortController()
  const abort = () => ended.abort()
  const stop = listenToAbort(signal, abort)
  const forget = credentials.onEnd?.(abort)
  return {
    signal: ended.signal,
    release() {
      forget?.()
      stop()
    },
  }
}
