/** Records the exchanges of a client, with their secrets in memory only: the requests that it sends, the pages that it opens, and its callbacks. */
import { signal } from '@preact/signals'
import {
  type AuthorizationSurface,
  type Check,
  type ClientOptions,
  FoyerError,
  type LogEntry,
} from 'foyer-sdk'
import { bodyFields, type Exchange, type Field, fieldsOf, splitUrl } from './exchange'

type Fetch = NonNullable<ClientOptions['fetch']>
type Change = Partial<Omit<Exchange, 'id'>>

/** Number of exchanges that are kept. */
const MAXIMUM = 200
/** Maximum length of a body that is shown, in characters. */
const MAX_BODY = 20_000

/** Call that the game made to the SDK. */
export interface RecordedCall {
  readonly name: string
  /** Epoch ms. */
  readonly startedAt: number
  /** Epoch ms; undefined while it runs. */
  readonly endedAt?: number
  /** Kind of the result, or the error code. */
  readonly result?: string
  /** Number of the sign-in that it belongs to. */
  readonly run?: number | undefined
  readonly isFailed?: boolean
}

/** Epoch ms with fractions, so that exchanges of the same millisecond keep their order. */
const now = () => performance.timeOrigin + performance.now()

export class ExchangeRecorder {
  readonly list = signal<readonly Exchange[]>([])
  readonly calls = signal<readonly RecordedCall[]>([])
  /** Number of the latest sign-in, which what follows belongs to. */
  run: number | undefined

  /** Id of the last exchange that was cleared: ids are not used again. */
  #cleared = 0

  clear(): void {
    this.#cleared = this.list.value.at(-1)?.id ?? this.#cleared
    this.list.value = []
    this.calls.value = []
  }

  /** Makes a call of the game, and records it with its result. Settles as the call does. */
  async recordCall<T>(name: string, call: () => Promise<T>, resultOf: (value: T) => string): Promise<T> {
    const started: RecordedCall = { name, startedAt: now(), run: this.run }
    this.calls.value = [...this.calls.value, started].slice(-MAXIMUM)
    const end = (outcome: { result: string; isFailed: boolean }) =>
      (this.calls.value = this.calls.value.map((one) =>
        one === started ? { ...started, endedAt: now(), ...outcome } : one,
      ))
    try {
      const value = await call()
      end({ result: resultOf(value), isFailed: false })
      return value
    } catch (error) {
      end({ result: error instanceof FoyerError ? error.code : 'failed', isFailed: true })
      throw error
    }
  }

  /** `fetch` of the platform, with a record of each request. */
  readonly fetch: Fetch = (input, init) => this.send(input, init)

  /** Sends a request and records it. @param sender library that sends it; undefined for Foyer. */
  send(input: string, init: RequestInit, sender?: string): Promise<globalThis.Response> {
    return this.#send(input, init, { sender })
  }

  /**
   * Sends a request again, as the tester has changed it. Its outcome is recorded, also if there is no response.
   *
   * @throws TypeError for what no page can send; then nothing is recorded.
   */
  sendAgain(exchange: Exchange, changed: Pick<Exchange, 'query' | 'headers' | 'body'>): Promise<unknown> {
    const { input, init } = toRequest({ ...exchange, ...changed })
    return this.#send(input, init, { isAgain: true, run: exchange.run }).catch(() => undefined)
  }

  async #send(
    input: string,
    init: RequestInit,
    parts: Pick<Exchange, 'sender' | 'isAgain' | 'run'>,
  ): Promise<globalThis.Response> {
    const id = this.#add({
      kind: 'request',
      method: init.method ?? 'GET',
      ...parts,
      ...splitUrl(input),
      ...requestParts(init),
    })
    try {
      const response = await fetch(input, init)
      const { status, statusText, headers } = response
      if (response.type === 'opaqueredirect') {
        this.#end(id, { failure: 'redirected, which no client may follow here' })
        return response
      }
      // Read here and passed on as a copy: the SDK cancels its requests when it has what it needs, and a second reader with them.
      const text = await response.text()
      this.#end(id, {
        response: {
          status,
          headers: fieldsOf(headers),
          rule: headers.get('x-emulator-rule') ?? undefined,
          body: shownBody(text),
        },
      })
      return new Response(text === '' ? null : text, { status, statusText, headers })
    } catch (error) {
      this.#end(id, { failure: init.signal?.aborted ? 'cancelled' : 'no response' })
      throw error
    }
  }

  /** Wraps a surface, to record the authorize page and the callback. */
  recordSurface(surface: AuthorizationSurface, sender?: string): AuthorizationSurface {
    return {
      ...surface,
      open: async (url, options) => {
        const id = this.#add({ kind: 'authorize', method: 'GET', sender, ...splitUrl(url) })
        try {
          const callback = await surface.open(url, options)
          this.#end(id, {})
          this.addCallback(callback, sender)
          return callback
        } catch (error) {
          this.#end(id, { failure: error instanceof Error ? error.message : 'failed' })
          throw error
        }
      },
    }
  }

  addCallback(url: string, sender?: string): void {
    // A redirect leaves the page while the player decides.
    const asked = this.list.value.findLast(({ kind }) => kind === 'authorize')
    if (asked && asked.duration === undefined) this.#end(asked.id, {})
    this.#add({ kind: 'callback', method: 'GET', sender, ...splitUrl(url), duration: 0 })
  }

  /** Adds the checks that the SDK reports to the message that was checked. */
  recordChecks({ step, data }: LogEntry): void {
    const { checks } = data
    if (!Array.isArray(checks)) return
    const isChecked = ({ kind, url, sender, isAgain = false }: Exchange) =>
      sender === undefined &&
      !isAgain &&
      (step.startsWith('authorization') ? kind === 'callback' : isTokenRequest(kind, url))
    const checked = this.list.value.findLast(isChecked)
    const reported: readonly Check[] = checks
    if (checked) this.#change(checked.id, { checks: [...checked.checks, ...reported] })
  }

  #add(parts: Pick<Exchange, 'kind' | 'method' | 'url' | 'query'> & Change): number {
    const id = (this.list.value.at(-1)?.id ?? this.#cleared) + 1
    const run = parts.sender === undefined ? (parts.run ?? this.run) : undefined
    const exchange = { headers: [], body: [], startedAt: now(), checks: [], ...parts, run, id }
    this.list.value = [...this.list.value, exchange].slice(-MAXIMUM)
    return id
  }

  #end(id: number, change: Change): void {
    const started = this.list.value.find((exchange) => exchange.id === id)
    if (started) this.#change(id, { ...change, duration: Math.round(now() - started.startedAt) })
  }

  #change(id: number, change: Change): void {
    this.list.value = this.list.value.map((exchange) =>
      exchange.id === id ? { ...exchange, ...change } : exchange,
    )
  }
}

/** `code` in a response is the number of an error: authorization codes arrive in a callback. */
function shownBody(text: string): Field[] {
  const fields = bodyFields(
    text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}… (${text.length} characters)` : text,
  )
  return fields.map((one) => (one.name === 'code' ? { ...one, isSecret: false } : one))
}

function isTokenRequest(kind: Exchange['kind'], url: string): boolean {
  return kind === 'request' && url.endsWith('/token')
}

/** A body of named fields is a form or a JSON object, as its type says. */
function toRequest({ method, url, query, headers, body }: Exchange): { input: string; init: RequestInit } {
  const sent = new Headers(headers.map(({ name, value }) => [name, value]))
  const search = new URLSearchParams(query.map(({ name, value }) => [name, value])).toString()
  const input = search === '' ? url : `${url}?${search}`
  const init = { method, headers: sent, ...(body.length > 0 && { body: toBody(body, sent) }) }
  // A browser drops headers that are its own without a word.
  const kept = new Request(input, init).headers
  const dropped = headers.find(({ name }) => !kept.has(name))
  if (dropped) throw new TypeError(`${dropped.name} is a header that only the browser itself sets`)
  return { input, init }
}

function toBody(fields: readonly Field[], headers: Headers): string {
  const [only] = fields
  if (only?.name === '') return only.value
  if (headers.get('content-type')?.startsWith('application/x-www-form-urlencoded'))
    return new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString()
  // Values that are no texts are kept as their JSON.
  const members = fields.map(
    ({ name, value, isText }) => `${JSON.stringify(name)}:${isText ? JSON.stringify(value) : value}`,
  )
  return `{${members.join(',')}}`
}

function requestParts({ headers, body }: RequestInit): Pick<Exchange, 'headers' | 'body'> {
  const sent = new Headers(headers)
  const isForm = sent.get('content-type')?.startsWith('application/x-www-form-urlencoded')
  const text = typeof body === 'string' ? body : ''
  return { headers: fieldsOf(sent), body: isForm ? fieldsOf(new URLSearchParams(text)) : bodyFields(text) }
}
