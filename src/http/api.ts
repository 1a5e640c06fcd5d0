/** Calls of the service's REST interface: ids into paths, JSON out and in, refusals typed, one more try with a renewed credential. */
import { ConfigurationError, ProtocolError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import type { ServiceProfile } from '../service/profile'
import { apiError } from './api-error'
import type { Credentials } from './credentials'
import { type Exchanged, exchange } from './exchange'
import type { HttpContext } from './request'
import { userAgent } from './user-agent'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

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
  signal?: AbortSignal | undefined
}

/** `body` is decoded JSON; undefined for an answer without one. */
export type ApiAnswer = Exchanged

/** Decides when a call is sent: it gets what is called and what sends it, refusals included, and says what became of it. */
export type Schedule = (call: ApiCall, send: () => Promise<ApiAnswer>) => Promise<ApiAnswer>

export interface ApiOptions extends HttpContext {
  profile: ServiceProfile
  credentials: Credentials
  /** ms for one exchange; time spent waiting in `schedule` does not count. */
  timeout: number
  schedule?: Schedule | undefined
}

/** One credential's view of the service. */
export class Api {
  readonly #options: ApiOptions

  constructor(options: ApiOptions) {
    this.#options = options
  }

  /**
   * Sends one call. Nothing is sent twice, except after a 401 with a credential that could be renewed.
   * @throws ApiError when the service refuses. @throws NetworkError `timed_out`, `aborted`, `connection_failed`.
   * @throws ProtocolError `malformed_response`, `response_too_large`. @throws ConfigurationError `invalid_argument` for an id that is none.
   */
  async send(call: ApiCall): Promise<ApiAnswer> {
    const { schedule = (_, send) => send(), credentials } = this.#options
    const url = this.#url(call)
    let authorization = ''
    const exchangeNow = async () => {
      authorization = await credentials.header()
      return this.#exchange(call, url, authorization)
    }
    const first = await schedule(call, exchangeNow)
    const again = first.status === 401 && (await credentials.renew(authorization))
    const answer = again ? await schedule(call, exchangeNow) : first
    const route = routeOf(call)
    if (answer.status >= 400) throw apiError({ ...answer, route })
    if (answer.body === undefined && answer.status !== 204) {
      throw new ProtocolError('malformed_response', `${route} ${answer.status}`, { retryable: true })
    }
    return answer
  }

  #url({ route, ids, query = {} }: ApiCall): string {
    const path = route.replace(/\{([\w.]+)\}/g, (_, name: string) => {
      const id = ids[name]
      if (!isSnowflake(id)) throw new ConfigurationError('invalid_argument', name)
      return id
    })
    const search = new URLSearchParams(query).toString()
    return this.#options.profile.baseUrl + path + (search && `?${search}`)
  }

  #exchange(call: ApiCall, url: string, authorization: string): Promise<ApiAnswer> {
    const { timeout } = this.#options
    return exchange(this.#options, { url, route: routeOf(call), timeout, signal: call.signal }, this.#request(call, authorization))
  }

  #request({ method, body, headers }: ApiCall, authorization: string): RequestInit {
    const { profile } = this.#options
    return {
      method,
      headers: {
        accept: 'application/json',
        authorization,
        'user-agent': userAgent(profile.brand),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
    }
  }
}

/** As it may stand in an error. */
const routeOf = ({ method, route }: ApiCall): string => `${method} ${route}`
