/** Calls of the service's REST interface: ids into paths, JSON out and in, refusals typed, each within the limits that count it. */
import { type ApiError, ConfigurationError, ProtocolError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import type { BucketSpec } from '../rate-limit/bucket'
import type { Priority } from '../rate-limit/fair-queue'
import type { RateLimiter } from '../rate-limit/limiter'
import type { ServiceConfig } from '../service/config'
import { apiError } from './api-error'
import type { Credentials } from './credentials'
import { type HttpAnswer, sendJson, type SendContext } from './send'
import { partyOf } from './route-limits'
import { EMULATOR_RULE } from './request'
import type { Method } from './transport'
import { userAgent } from './user-agent'
import { sendRateLimited } from './rate-limited-send'

export type { Method } from './transport'

export interface ApiCall {
  method: Method
  /** With names in braces, as the interface writes it: `/applications/{application.id}/commands`. */
  route: string
  /** What stands for the names. Snowflakes only. */
  ids: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
  /** Default `normal`. */
  priority?: Priority | undefined
  signal?: AbortSignal | undefined
}

/** `body` is decoded JSON; undefined for an answer without one. */
export type ApiAnswer = HttpAnswer

export interface ApiOptions extends SendContext {
  clock: MonotonicClock
  service: ServiceConfig
  credentials: Credentials
  /** ms for one exchange; time spent waiting for a limit does not count. */
  timeout: number
  limiter: RateLimiter
  bucketsOf: (call: ApiCall) => readonly BucketSpec[]
  /** ms that a call may wait for its limits, in all. */
  maxWait: number
  /** Gets each refusal of the service before the call rejects with it. */
  onRefused?: ((error: ApiError, route: string) => void) | undefined
}

/** One credential's view of the service. */
export class Api {
  readonly #options: ApiOptions
  readonly #userAgent: string

  constructor(options: ApiOptions) {
    this.#options = options
    this.#userAgent = userAgent(options.service.brand)
  }

  /**
   * Sends one call as soon as its limits allow. It is sent again after a 429, where no connection was made, where doing it twice is as good
   * as once, and after a 401 with a credential that could be renewed.
   * @throws RateLimitError `rate_limited`, `too_many_refusals`. @throws ApiError when the service refuses.
   * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `malformed_response`, `response_too_large`.
   * @throws ConfigurationError `invalid_argument` for an id that is none, `closed`.
   */
  async send(call: ApiCall): Promise<ApiAnswer> {
    const url = this.#url(call)
    const { credentials } = this.#options
    // Before the turn: a token that cannot be had is no call that was lost.
    const authorization = await credentials.header()
    const first = await this.#sendInTurn(call, url, authorization)
    const again = first.status === 401 && (await credentials.renew(authorization))
    const answer = again ? await this.#sendInTurn(call, url, await credentials.header()) : first
    const { status, body, header } = answer
    if (status >= 400) {
      const error = apiError({ status, body, route: routeOf(call), emulatorRule: header(EMULATOR_RULE) })
      this.#options.onRefused?.(error, routeOf(call))
      throw error
    }
    if (body === undefined && status !== 204)
      throw new ProtocolError('malformed_response', `${routeOf(call)} ${status}`, { retryable: true })
    return answer
  }

  #url({ route, ids, query }: ApiCall): string {
    // What stands in braces comes every other time.
    const pieces = route.split(/[{}]/)
    for (let i = 1; i < pieces.length; i += 2) {
      const name = pieces[i] ?? ''
      const id = ids[name]
      if (!isSnowflake(id)) throw new ConfigurationError('invalid_argument', name)
      pieces[i] = id
    }
    const path = pieces.join('')
    const search = query ? `?${new URLSearchParams(query).toString()}` : ''
    return this.#options.service.baseUrl + path + search
  }

  #sendInTurn(call: ApiCall, url: string, authorization: string): Promise<ApiAnswer> {
    const { bucketsOf, maxWait } = this.#options
    const { method, priority, signal } = call
    return sendRateLimited(this.#options, {
      method,
      route: routeOf(call),
      buckets: bucketsOf(call),
      party: partyOf(call),
      maxWait,
      priority,
      signal,
      send: () => this.#exchange(call, url, authorization),
    })
  }

  #exchange({ method, route, body, headers, signal }: ApiCall, url: string, authorization: string): Promise<ApiAnswer> {
    const { timeout } = this.#options
    // Field by field: spreading objects would be a good part of what a call costs.
    const sent: Record<string, string> = { accept: 'application/json', 'user-agent': this.#userAgent, authorization }
    if (body !== undefined) sent['content-type'] = 'application/json'
    if (headers) Object.assign(sent, headers)
    const text = body === undefined ? null : JSON.stringify(body)
    return sendJson(this.#options, { method, url, route: `${method} ${route}`, headers: sent, body: text, timeout, signal })
  }
}

/** As it may stand in an error. */
const routeOf = ({ method, route }: ApiCall): string => `${method} ${route}`
