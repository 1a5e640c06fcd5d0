/** Lobby updates over `fetch`, with the player's token in a header: resumes, retries with growing delays, takes turns with other tabs, and reads server-sent events. */
import { listenToAbort } from '../../shared/foundation/async'
import { ConfigurationError, NetworkError } from '../../shared/foundation/errors'
import { isText } from '../../shared/foundation/untrusted-values'
import {
  type LobbyUpdate,
  type OwnChange,
  type PlayerRequests,
  type StreamTools,
  parseLobbyEvent,
} from '../lobbies/lobby-updates'
import { askForHandler } from '../../shared/foundation/addresses'
import type { Clock } from '../../shared/foundation/clock'
import type { LogEntry } from '../../shared/foundation/log-entry'

/** ms after which a connection without a byte counts as lost: three heartbeats of the hub. */
const SILENCE = 45_000
/** ms for the answer to a request of the stream. */
const ANSWER = 30_000
/** ms before a lost connection is opened again: random up to the first value, then doubled up to the second. */
const FIRST_DELAY = 1000
const LAST_DELAY = 30_000
/** ms after which a connection counts as a success: a backend may answer with 200 and end the stream at once, every time. */
const STABLE = 5000
/** ms before a refused report is repeated, if no reconnect repeats it earlier. */
const REPORT_RETRY = 5000
/** Maximum number of lobbies that a request names. */
const MAX_CLAIMED = 16

export interface StreamContext extends Omit<StreamTools, 'player'> {
  readonly player: PlayerRequests
  readonly url: string
  readonly listener: (update: LobbyUpdate) => void
  /** Called with each event, for other tabs. */
  readonly forward?: (event: StreamEvent) => void
  /** Called when a connection has opened: messages may have been missed before. */
  readonly opened?: () => void
  /** Waits for one of the few connections to a host. Default: connects at once. */
  readonly takeTurn?: TakeTurn
  /** Ids of lobbies that other tabs show. */
  readonly lobbyIdsElsewhere?: ReadonlySet<string>
  /** Last event id of another tab's stream that this one continues. */
  readonly lastEventId?: string | undefined
}

/** A program without a page has no `navigator`, or one that knows no network. */
interface Platform {
  readonly navigator?: { readonly onLine?: boolean }
}

export interface OpenLobbyStream {
  /** Reports a change by this player, if the backend accepts reports. */
  announce(change: OwnChange): void
  close(): void
}

export class PlayerLobbyStream implements OpenLobbyStream {
  readonly #context: StreamContext
  readonly #closing = new AbortController()
  /** Reports that no response has confirmed, by content. */
  readonly #reports = new Map<string, OwnChange>()
  /** Cancel functions of the timers of reports without news, by lobby. */
  readonly #expected = new Map<string, () => void>()
  #lastEventId: string
  #failures = 0
  #isOpen = false
  /** Epoch ms of the last opening; undefined while a connection has not opened. */
  #openedAt: number | undefined
  #isRestarting = false
  /** The reason that this attempt got no stream, for the log: an answer of the backend, or an option of the client. */
  #refusal: LogEntry['data'] = {}
  /** Whether the backend has ever answered: before, an unanswered request is likely a wrong address. */
  #isKnown = false
  /** Whether the backend has named the time of the current pause. */
  #isDemanded = false
  #abort: () => void = () => undefined
  #wake: () => void = () => undefined
  /** Ends the current pause: the network is back. */
  readonly reconnect = (): void => this.#wake()

  constructor(context: StreamContext) {
    this.#context = context
    this.#lastEventId = context.lastEventId ?? ''
    globalThis.addEventListener?.('online', this.reconnect)
    void this.#run()
  }

  /** Reports a change by this player; repeats it after a reconnect until the backend has confirmed it. */
  announce(change: OwnChange): void {
    this.#report(change)
    if (change.messageId === undefined) this.#expect(change.lobbyId, REPORT_RETRY)
  }

  /** Opens the stream again, at once unless a refusal demands a pause: it then begins with all lobbies as they are. */
  restart(): void {
    if (!this.#isOpen) return this.#isDemanded ? undefined : this.#wake()
    this.#isRestarting = true
    this.#abort()
  }

  close(): void {
    globalThis.removeEventListener?.('online', this.reconnect)
    this.#closing.abort()
    for (const cancel of this.#expected.values()) cancel()
    this.#expected.clear()
    this.#wake()
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#refusal = {}
      const requested = await this.#inTurn(() => this.#connect()).catch((error: unknown) => {
        this.#refusal = this.#refusalBy(error)
      })
      this.#isOpen = false
      if (this.#openedAt !== undefined && this.#context.clock.now() - this.#openedAt >= STABLE)
        this.#failures = 0
      this.#openedAt = undefined
      if (this.#closing.signal.aborted) return
      if (this.#isRestarting) {
        this.#isRestarting = false
        continue
      }
      // A refusal with a delay is not a failure: its own random part, at most one second, does not grow.
      this.#isDemanded = requested !== undefined
      const wait = requested === undefined ? delayOf(this.#failures++) : requested + delayOf(0)
      this.#context.log('warn', 'lobby_stream.refused', { wait: Math.round(wait), ...this.#refusal })
      await this.#pause(wait)
    }
  }

  /** Why there is no answer: the game has to change an option, or nobody answers there. The second is said once, since a connection may get lost. */
  #refusalBy(error: unknown): LogEntry['data'] {
    if (error instanceof ConfigurationError) return { code: error.code, remedy: error.message }
    const { navigator }: Platform = globalThis
    const isUnanswered = error instanceof NetworkError && error.code === 'connection_failed'
    if (!isUnanswered || this.#isKnown || navigator?.onLine === false) return {}
    this.#isKnown = true
    return { code: error.code, remedy: askForServer(this.#context.url) }
  }

  #inTurn(connect: () => Promise<number | undefined>): Promise<number | undefined> {
    const { takeTurn } = this.#context
    return takeTurn
      ? takeTurn(connect, { end: () => this.restart(), signal: this.#closing.signal })
      : connect()
  }

  /** Resolves at the end of a connection, with the delay in ms that a refusal demands. */
  async #connect(): Promise<number | undefined> {
    const { player, url, lobbyIdsElsewhere = [] } = this.#context
    const connection = new AbortController()
    const abort = () => connection.abort()
    this.#abort = abort
    const forget = listenToAbort(this.#closing.signal, abort)
    const target = new URL(url)
    const lobbies = Array.from(new Set<string>([...player.lobbyIds(), ...lobbyIdsElsewhere]))
      .slice(0, MAX_CLAIMED)
      .join(',')
    if (lobbies) target.searchParams.set('lobbies', lobbies)
    const headers: Record<string, string> = { accept: 'text/event-stream' }
    if (this.#lastEventId) headers['last-event-id'] = this.#lastEventId
    const cancel = this.#context.clock.after(ANSWER, abort)
    try {
      const response = await player
        .fetch(target.href, { headers, signal: connection.signal, cache: 'no-store' })
        .finally(cancel)
      this.#isKnown = true
      const isStream =
        response.status === 200 && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
      const { status } = response
      const isForeign = !isStream && (status === 200 || status === 404 || status === 405)
      this.#refusal = {
        ...(!isStream && { status }),
        ...(isForeign && { remedy: askForHandler('createLobbyHub', url) }),
      }
      if (!isStream) return retryAfter(response)
      this.#opened()
      await this.#read(response, abort)
    } finally {
      forget()
      connection.abort()
    }
    return undefined
  }

  #opened(): void {
    const { player, listener, opened } = this.#context
    this.#isOpen = true
    this.#openedAt = this.#context.clock.now()
    void this.#sendReports()
    // Messages of the time without a connection, also before the first.
    opened?.()
    for (const id of player.lobbyIds()) listener({ type: 'messagePending', lobbyId: id })
  }

  async #read(response: Response, abort: () => void): Promise<void> {
    const reader = response.body?.getReader()
    const [parse, decoder] = [createEventParser(), new TextDecoder()]
    for (;;) {
      const cancel = this.#context.clock.after(SILENCE, () => {
        abort()
        // A `fetch` of the game may not know signals.
        void reader?.cancel().catch(() => undefined)
      })
      const { done, value } = (await reader?.read().finally(cancel)) ?? { done: true }
      if (done) return
      for (const event of parse(decoder.decode(value, { stream: true }))) {
        this.#context.forward?.(event)
        this.#lastEventId = isEventId(event.id) ? event.id : this.#lastEventId
        const update = parseLobbyEvent(event)
        if (update) this.#receive(update)
      }
    }
  }

  #receive(update: LobbyUpdate): void {
    const lobbyId = lobbyOf(update)
    if (lobbyId !== undefined) this.#expect(lobbyId, undefined)
    this.#context.listener(update)
  }

  /** Repeats a report until news of its lobby has arrived, since either may be lost on the way. `wait` undefined: it has arrived. */
  #expect(lobbyId: string, wait: number | undefined): void {
    this.#expected.get(lobbyId)?.()
    this.#expected.delete(lobbyId)
    if (wait === undefined) return
    const cancel = this.#context.clock.after(wait, () => {
      this.#report({ lobbyId })
      this.#expect(lobbyId, Math.min(wait * 2, LAST_DELAY))
    })
    this.#expected.set(lobbyId, cancel)
  }

  #report(change: OwnChange): void {
    this.#reports.set(JSON.stringify(change), change)
    void this.#sendReports()
  }

  async #sendReports(): Promise<void> {
    if (!this.#isOpen) return
    const { player, url } = this.#context
    for (const [key, { lobbyId, messageId }] of Array.from(this.#reports)) {
      const report = {
        type: messageId === undefined ? 'changed' : 'message',
        lobby_id: lobbyId,
        message_id: messageId,
      }
      const headers = { 'content-type': 'application/json' }
      // Removed before the response: the same change may happen again meanwhile.
      this.#reports.delete(key)
      const response = await player
        .fetch(url, { method: 'POST', headers, body: JSON.stringify(report) })
        .catch(() => undefined)
      if (response && response.status !== 429 && response.status < 500) continue
      this.#reports.set(key, { lobbyId, ...(messageId !== undefined && { messageId }) })
      return this.#sendReportsLater()
    }
  }

  #sendReportsLater(): void {
    const cancel = this.#context.clock.after(REPORT_RETRY, () => {
      this.#closing.signal.removeEventListener('abort', cancel)
      void this.#sendReports()
    })
    this.#closing.signal.addEventListener('abort', cancel)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#context.clock.after(ms, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}

const askForServer = (url: string): string => {
  const { origin } = new URL(url)
  return `Is the backend running at ${origin}, and does it let this page call it (CORS)?`
}

/** Lobby whose state an update shows. */
function lobbyOf(update: LobbyUpdate): string | undefined {
  if (update.type === 'lobby') return update.lobby.id
  return update.type === 'deleted' ? update.lobbyId : undefined
}

/** Others are not repeated in a header. */
export const isEventId = (id: unknown): boolean => isText(id, /^\d{1,16}$/)

/** Random, so that players who lost their connection together do not come back together. */
const delayOf = (failures: number): number =>
  Math.min(FIRST_DELAY * 2 ** failures, LAST_DELAY) * Math.random()

/** Reads the header `Retry-After`, whole seconds, at most five minutes. Less than one would be a pause that never grows. */
function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return seconds >= 1 ? Math.min(seconds, 300) * 1000 : undefined
}

/** Of the six connections that a browser opens to a host, those that streams may use. */
const STREAMS = 4
/** ms after which a stream that others wait for gives up its place. */
const TURN = 5000

/** What turns use of `LockManager`, which a program without the types of a page does not know: declarations of the package reach this file. */
interface TurnLocks {
  query(): Promise<{ readonly pending?: readonly { readonly name?: string }[] }>
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    run: (lock: object | null) => unknown,
  ): Promise<unknown>
}

interface TurnOptions {
  readonly locks: TurnLocks
  readonly clock: Clock
  readonly url: string
}

interface Turn {
  /** Ends the connection: another stream waits for its place. */
  readonly end: () => void
  readonly signal: AbortSignal
}

/** Runs a connection in its turn. */
type TakeTurn = <Result>(connect: () => Promise<Result>, turn: Turn) => Promise<Result | undefined>

export function createTurns({ locks, clock, url }: TurnOptions): TakeTurn {
  const names = Array.from(
    { length: STREAMS },
    (_, place) => `foyer:stream-place ${new URL(url).origin} ${place}`,
  )
  const isWantedBy = async (name: string): Promise<boolean> =>
    ((await locks.query()).pending ?? []).some((each) => each.name === name)
  return async (connect, { end, signal }) => {
    const started: ReturnType<typeof connect>[] = []
    const run = (name: string) => {
      const connection = connect()
      started.push(connection)
      return connection.finally(repeat(clock, async () => (await isWantedBy(name)) && end()))
    }
    for (const name of names) {
      await locks.request(name, { ifAvailable: true }, (lock) => lock && run(name)).catch(ignore)
      if (started[0]) return started[0]
    }
    const name = names[Math.floor(Math.random() * STREAMS)] ?? ''
    await locks.request(name, { signal }, () => run(name)).catch(ignore)
    // Without a connection, locks are forbidden here.
    return started[0] ?? (signal.aborted ? undefined : connect())
  }
}

const ignore = (): undefined => undefined

/** Returns a function that ends the repetition. */
function repeat(clock: Clock, check: () => Promise<unknown>): () => void {
  let cancel: (() => void) | undefined
  const schedule = () => {
    cancel = clock.after(TURN, () => {
      void check().catch(ignore)
      schedule()
    })
  }
  schedule()
  return () => cancel?.()
}

/** One event of a stream. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
  /** Last id of the stream, for the header `Last-Event-ID`. */
  readonly id: string
}

/** Maximum length of an unfinished event. */
const MAX_EVENT = 1024 * 1024

/** Creates a parser: each call takes the next part of the stream and returns the completed events. Throws for an endless event. */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = ''
  let [name, id] = ['', '']
  let data: string[] = []
  const readLine = (line: string): StreamEvent | undefined => {
    if (line === '') {
      const event = data.length > 0 ? { name: name || 'message', data: data.join('\n'), id } : undefined
      name = ''
      data = []
      return event
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? []
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
    return undefined
  }
  return (text) => {
    // A CR at the end may be the first half of a CRLF.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length + data.reduce((sum, line) => sum + line.length, 0) > MAX_EVENT)
      throw new RangeError('event too long')
    return lines.flatMap((line) => readLine(line) ?? [])
  }
}
