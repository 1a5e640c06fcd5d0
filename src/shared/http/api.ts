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
import { sendRetried } from './retry'

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
    for (let isRenewed = false; ; isRenewed = true) {
      // Before waiting for rate limits: a missing token must not count as a lost request.
      const authorization = await credentials.header()
      const response = await this.#sendLimited(call, url, authorization)
      const isFinal = isRenewed || response.status !== 401 || !(await credentials.renew(authorization))
      if (isFinal) return take(response, call)
    }
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
    return toJsonResponse(request, await sendRetried(this.#options, limited))
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
  async whileCurrent<Result>(
    given: AbortSignal | undefined,
    work: (signal?: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const life = this.#lifeOf(given)
    try {
      return await work(life ? life.signal : given)
    } catch (error) {
      throw life ? life.reasonOf(error) : error
    } finally {
      life?.release()
    }
  }

  /** Sends a call with these credentials, again where that is safe. A session that ends meanwhile ends it with `signed_out`. */
  async #sendLimited(call: ApiCall, url: string, authorization: string): Promise<HttpResponse> {
    const { bucketsOf, timeout } = this.#options
    const { method, body, headers, priority, repeatsRefused, maxWait = this.#options.maxWait } = call
    const route = routeOf(call)
    // Field by field: spreading objects takes a notable part of a call's time.
    const sent: Record<string, string> = { accept: 'application/json', authorization }
    if (this.#userAgent) sent['user-agent'] = this.#userAgent
    if (body !== undefined) sent['content-type'] = 'application/json'
    if (headers) Object.assign(sent, headers)
    const life = this.#lifeOf(call.signal)
    try {
      return await sendRetried(this.#options, {
        method,
        route,
        buckets: bucketsOf(call, this.#userId),
        fairnessKey: fairnessKeyOf(call),
        maxWait,
        priority,
        repeatsRefused,
        signal: life ? life.signal : call.signal,
        send: () => {
          this.#requireCurrent()
          const { signal } = call
          const text = body?.text ?? null
          return sendRequest(this.#options, {
            method,
            url,
            route,
            headers: sent,
            body: text,
            timeout,
            signal,
          })
        },
      })
    } catch (error) {
      throw life ? life.reasonOf(error) : error
    } finally {
      life?.release()
    }
  }

  /** Ends the work of a session early. Undefined for other credentials, which outlast their work. */
  #lifeOf(signal: AbortSignal | undefined): SessionLife | undefined {
    return this.#isOfSession ? new SessionLife(signal, this.#options.credentials) : undefined
  }
}

/** Key for fair queueing: requests of one lobby or guild do not hold up those of others. */
export const fairnessKeyOf = ({ ids }: Pick<ApiCall, 'ids'>): string =>
  ids['lobby.id'] ?? ids['guild.id'] ?? ''

/** Method and route, for use in errors. */
const routeOf = ({ method, route }: ApiCall): string => `${method} ${route}`

/** The time in which one piece of work may run: it ends with the work's own signal, or with the session. */
class SessionLife {
  readonly #given: AbortSignal | undefined
  readonly #credentials: Credentials
  readonly #ended = new AbortController()
  readonly #stop: () => void
  readonly #forget: (() => void) | undefined

  constructor(given: AbortSignal | undefined, credentials: Credentials) {
    const abort = () => this.#ended.abort()
    this.#given = given
    this.#credentials = credentials
    this.#stop = listenToAbort(given, abort)
    this.#forget = credentials.onEnd?.(abort)
  }

  /** Aborts at the end. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** Why the work failed: the end of the session, or the error itself. */
  reasonOf(error: unknown): unknown {
    if (this.#given?.aborted) return error
    try {
      this.#credentials.requireCurrent?.()
      return error
    } catch (end) {
      return end
    }
  }

  /** To be called once, when the work is done. */
  release(): void {
    this.#forget?.()
    this.#stop()
  }
}
