/** A model of the service's side of one interaction, in virtual time: who has ever seen which text (docs/interface/interactions.md). */
import type { Fetch, InteractionHandler } from 'foyer-sdk/server'
import { ManualClock } from '../../support/manual-clock'
import { settle } from './expected-responses'

/** What happens to one request: it is not applied, or is applied and its response gets lost. */
export type Fault = '429' | '502' | '503' | 'closed' | 'timeout' | 'lost'

interface Shown {
  readonly isPrivate: boolean
  isLoading: boolean
  text: string
}

const EPHEMERAL = 64
const LOADING = 128

interface Data {
  content?: string
  flags?: number
}

/** A clock that jumps to the next timer. */
export class JumpingClock extends ManualClock {
  #due: number[] = []

  override after(delay: number, callback: () => void): () => void {
    this.#due.push(this.now() + delay)
    return super.after(delay, callback)
  }

  /** Runs the timers that are next. Returns false if there are none. */
  jump(): boolean {
    if (this.waiting === 0 || this.#due.length === 0) return false
    const next = Math.min(...this.#due)
    this.#due = this.#due.filter((at) => at > next)
    this.advance(Math.max(0, next - this.now()))
    return true
  }
}

export interface ModelOptions {
  /** ms from the handler's response until it arrives. */
  readonly responseDelay?: number
  /** ms until a call arrives, and until its response does. */
  readonly callDelay?: number
  /** Faults of the next calls with a method. */
  readonly faults?: { readonly method: string; readonly list: Fault[] }
}

export class ChannelModel {
  readonly clock: JumpingClock
  /** Texts that the other players of the channel have ever seen, and those that the player has. */
  readonly seenByOthers = new Set<string>()
  readonly seenByPlayer = new Set<string>()
  readonly calls: string[] = []
  readonly #options: ModelOptions
  readonly #messages = new Map<string, Shown>()
  #original: string | undefined
  #isAnswered = false
  #count = 100

  /** `source`: the message of a component. */
  constructor(clock: JumpingClock, options: ModelOptions = {}, source?: { isPrivate: boolean }) {
    this.clock = clock
    this.#options = options
    if (source) this.#messages.set('99', { ...source, isLoading: false, text: 'source' })
  }

  /** Texts that the player sees now, in order; placeholders are `…`. */
  get current(): string[] {
    return [...this.#messages.values()].map(({ isLoading, text }) => (isLoading ? '…' : text))
  }

  /** Delivers a request and advances the time until everything has ended. */
  async deliver(handler: InteractionHandler, request: Request): Promise<void> {
    const sentAt = Number(request.headers.get('x-signature-timestamp')) * 1000
    const running = { work: undefined as Promise<unknown> | undefined, isDone: false }
    const end = () => void (running.isDone = true)
    const respond = async () => {
      const response = await handler(request, { waitUntil: (promise) => void (running.work = promise) })
      const body: unknown = JSON.parse((await response.text()) || 'null')
      await this.sleep(this.#options.responseDelay ?? 0)
      if (this.clock.now() - sentAt <= 3000) this.#answer(body as { type: number; data?: Data } | null)
      await running.work
    }
    const finished = respond().finally(end)
    // The signature is verified in another thread.
    while (this.clock.waiting === 0 && !running.isDone) await settle()
    while (!running.isDone) {
      for (let turn = 0; turn < 4; turn++) await settle()
      this.clock.jump()
    }
    await finished
  }

  sleep(ms: number): Promise<void> {
    return ms === 0 ? Promise.resolve() : new Promise((resolve) => void this.clock.after(ms, resolve))
  }

  readonly fetch: Fetch = async (url, init) => {
    const { method = 'GET' } = init
    const { faults, callDelay = 0 } = this.#options
    this.calls.push(method)
    await this.sleep(callDelay)
    const fault = faults?.method === method ? faults.list.shift() : undefined
    if (fault === '429')
      return Response.json({ retry_after: 0.2 }, { status: 429, headers: { 'retry-after': '0.2' } })
    if (fault === '502' || fault === '503') return new Response('<html>', { status: Number(fault) })
    if (fault === 'timeout') return new Promise<Response>(() => undefined)
    if (fault === 'closed') throw disconnected()
    const data = typeof init.body === 'string' ? (JSON.parse(init.body) as Data) : {}
    const response = this.#call(method, new URL(url).pathname.split('/').pop() ?? '', data)
    if (fault === 'lost') throw disconnected()
    await this.sleep(callDelay)
    return response
  }

  #answer(response: { type: number; data?: Data } | null): void {
    if (response === null) return
    this.#isAnswered = true
    const { type, data = {} } = response
    if (type === 4) this.#original = this.#add(data)
    if (type === 5) this.#original = this.#add(data, { isLoading: true })
    if (type === 6 || type === 7) this.#original = '99'
    if (type === 7) this.#write('99', data)
  }

  #call(method: string, last: string, data: Data): Response {
    if (!this.#isAnswered) return Response.json({ code: 10_015 }, { status: 404 })
    const original = this.#messages.get(this.#original ?? '')
    // A follow-up right after a deferral edits the loading message, and takes its visibility.
    if (method === 'POST')
      return this.#json(original?.isLoading ? this.#write(this.#original ?? '', data) : this.#add(data))
    const id = last === '@original' ? (this.#original ?? '') : last
    if (!this.#messages.has(id)) return Response.json({ code: 10_008 }, { status: 404 })
    if (method === 'PATCH') return this.#json(this.#write(id, data))
    if (method === 'GET') return this.#json(id)
    this.#messages.delete(id)
    return new Response(null, { status: 204 })
  }

  #json(id: string): Response {
    const message = this.#messages.get(id)
    const flags = (message?.isLoading ? LOADING : 0) | (message?.isPrivate ? EPHEMERAL : 0)
    return Response.json({ id, channel_id: '1', content: message?.text, flags })
  }

  #add({ content = '', flags = 0 }: Data, { isLoading } = { isLoading: false }): string {
    const id = String(++this.#count)
    this.#messages.set(id, { isPrivate: (flags & EPHEMERAL) !== 0, isLoading, text: '' })
    return isLoading ? id : this.#write(id, { content })
  }

  /** The visibility of an existing message cannot change. */
  #write(id: string, { content = '' }: Data): string {
    const message = this.#messages.get(id)
    if (message) {
      Object.assign(message, { text: content, isLoading: false })
      this.seenByPlayer.add(content)
      if (!message.isPrivate) this.seenByOthers.add(content)
    }
    return id
  }
}

const disconnected = (): Error =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  })
