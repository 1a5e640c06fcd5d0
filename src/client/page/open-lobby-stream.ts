/** Opens a stream of lobby updates: with the player's token where that may be sent, otherwise as an `EventSource`. */
import { withoutUndefined, isRecord, isText } from '../../shared/foundation/untrusted-values'
import {
  type LobbyUpdate,
  lobbyEvents,
  parseLobbyEvent,
  type StreamTools,
  type OwnChange,
} from '../lobbies/lobby-updates'
import {
  type OpenLobbyStream,
  type StreamEvent,
  isEventId,
  PlayerLobbyStream,
  type StreamContext,
  createTurns,
} from './player-lobby-stream'
import { openBroadcast } from './callback-channel'

/** `EventSource.CLOSED`: the browser has stopped reconnecting. */
const CLOSED = 2
const MAX_DELAY = 60_000

/** Options of `lobbyStream`. */
export interface LobbyStreamOptions {
  /** Sends cookies to another origin. For an `EventSource` only. Default: false. */
  withCredentials?: boolean | undefined
}

export interface LobbyStreamContext {
  readonly url: string
  /** For an `EventSource`. */
  readonly options: LobbyStreamOptions | undefined
  readonly tools: StreamTools
  readonly listener: (update: LobbyUpdate) => void
}

export async function openLobbyStream(context: LobbyStreamContext): Promise<OpenLobbyStream> {
  const { tools, listener } = context
  const { player, clock, log } = tools
  const url = absolute(context.url)
  return player?.isAllowed(url)
    ? openPlayerStream({ clock, log, player, url, listener })
    : { announce: () => undefined, close: listenToEventSource(context) }
}

/** Resolves a path against the page. */
function absolute(url: string): string {
  return typeof location === 'object' ? new URL(url, location.href).href : url
}

/** Listens with an `EventSource`, and opens a new one when the browser gives up. Returns a function that ends it. */
function listenToEventSource({
  url,
  options,
  tools: { clock, log, player },
  listener,
}: LobbyStreamContext): () => void {
  let end: () => void
  let refusals = 0
  // Only a stream of a client could send a token, and one that has opened needs none.
  let remedy = player && noToken(url)
  const adviceOnce = () => {
    const advice = remedy !== undefined && navigator.onLine ? { remedy } : {}
    if (navigator.onLine) remedy = undefined
    return advice
  }
  const open = () => {
    const source = new EventSource(url, withoutUndefined(options))
    end = () => source.close()
    forwardEvents(source, listener)
    source.addEventListener('open', () => {
      refusals = 0
      remedy = undefined
      // Messages of the time without a connection.
      for (const lobbyId of player?.lobbyIds() ?? []) listener({ type: 'messagePending', lobbyId })
    })
    source.addEventListener('error', () => {
      if (source.readyState === CLOSED) return reconnectLater()
      // The browser opens it again by itself.
      const advice = adviceOnce()
      if (advice.remedy !== undefined) log('warn', 'lobby_stream.refused', advice)
    })
  }
  const reconnectLater = () => {
    end()
    const wait = Math.min(1000 * 2 ** refusals++, MAX_DELAY) * (1 - Math.random() / 2)
    log('warn', 'lobby_stream.refused', { wait, ...adviceOnce() })
    const reconnect = () => {
      end()
      open()
    }
    const cancel = clock.after(navigator.onLine ? wait : MAX_DELAY, reconnect)
    end = () => {
      cancel()
      removeEventListener('online', reconnect)
    }
    addEventListener('online', reconnect)
  }
  open()
  return () => end()
}

/** A stream that no option lets have the token is refused by `createLobbyHub` for ever. */
function noToken(url: string): string {
  const { origin } = new URL(absolute(url))
  return `No token is sent to ${origin}: name it in the client's backendOrigins`
}

function forwardEvents(source: EventSource, listener: (update: LobbyUpdate) => void): void {
  for (const name of lobbyEvents()) {
    source.addEventListener(name, ({ data }: MessageEvent<unknown>) => {
      const update = parseLobbyEvent({ name, data: String(data) })
      if (update) listener(update)
    })
  }
}

/** ms in which tabs that open together cause one restart of the stream. */
const RESTART_DELAY = 200
/** Maximum number of lobbies of other tabs. */
const MAX_LOBBIES = 64

/** Messages between tabs. */
type Note =
  /** A tab needs the lobbies as they are. */
  | { readonly kind: 'hello'; readonly lobbyIds: readonly string[] }
  | { readonly kind: 'announce'; readonly change: OwnChange }
  /** The leading tab has taken over a report. */
  | { readonly kind: 'announced'; readonly change: OwnChange }
  /** A tab has begun to lead. */
  | { readonly kind: 'leading' }
  | { readonly kind: 'opened' }
  | { readonly kind: 'event'; readonly event: StreamEvent }

/** Globals that are missing in some pages and runtimes, although the DOM types declare them. */
interface Platform {
  navigator?: { locks?: LockManager }
  document?: unknown
}

/** Without Web Locks or channels between tabs, and without a stored session, the tab has a stream of its own. */
export async function openPlayerStream(given: StreamContext): Promise<OpenLobbyStream> {
  const key = await given.player.sessionKey?.().catch(() => undefined)
  const platform: Platform = globalThis
  const locks = platform.document ? platform.navigator?.locks : undefined
  if (!locks) return new PlayerLobbyStream(given)
  const { url, clock } = given
  // Browsers use HTTP/2 with encryption only.
  const context = {
    ...given,
    ...(url.startsWith('http:') && { takeTurn: createTurns({ locks, clock, url }) }),
  }
  const name = `foyer:lobby-stream ${key} ${url}`
  const channel = key === undefined ? undefined : openBroadcast(name)
  return channel ? new SharedLobbyStream(context, { name, channel, locks }) : new PlayerLobbyStream(context)
}

interface SharedParts {
  readonly name: string
  readonly channel: BroadcastChannel
  readonly locks: LockManager
}

/** The tab that holds the lock leads: it opens the stream, and forwards events. When it is closed, another one takes over. */
class SharedLobbyStream implements OpenLobbyStream {
  readonly #context: StreamContext
  readonly #parts: SharedParts
  readonly #closing = new AbortController()
  /** Reports that no leading tab has confirmed, by content. */
  readonly #reports = new Map<string, OwnChange>()
  /** Lobbies of other tabs. */
  readonly #lobbyIds = new Set<string>()
  /** Present in the leading tab. */
  #stream: PlayerLobbyStream | undefined
  #resign: () => void = () => undefined
  /** Gives up the lead, or waits for it no longer. */
  #leave: () => void = () => undefined
  #cancelRestart: (() => void) | undefined
  /** Of the last event of a leading tab; undefined before the first. */
  #lastEventId: string | undefined

  constructor(context: StreamContext, parts: SharedParts) {
    this.#context = context
    this.#parts = parts
    const { signal } = this.#closing
    parts.channel.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
      this.#receive(readNote(data)),
    )
    // A page in the back/forward cache can neither lead nor hear.
    globalThis.addEventListener?.('pagehide', () => this.#leave(), { signal })
    globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && this.#enter(), { signal })
    this.#enter()
  }

  announce(change: OwnChange): void {
    if (this.#stream) return this.#stream.announce(change)
    this.#reports.set(JSON.stringify(change), change)
    this.#post({ kind: 'announce', change })
  }

  close(): void {
    this.#cancelRestart?.()
    this.#closing.abort()
    this.#leave()
    this.#parts.channel.close()
  }

  #enter(): void {
    const { locks, name } = this.#parts
    const waiting = new AbortController()
    this.#leave = () => {
      waiting.abort()
      this.#resign()
    }
    locks
      .request(name, { signal: waiting.signal }, () => this.#lead())
      .catch(() => {
        // Locks are forbidden here, or another script has stolen this one.
        if (!waiting.signal.aborted) void this.#lead()
      })
    this.#post({ kind: 'hello', lobbyIds: this.#context.player.lobbyIds() })
  }

  /** Resolves when this tab no longer leads. */
  #lead(): Promise<void> {
    this.#resign()
    const stream = new PlayerLobbyStream({
      ...this.#context,
      lobbyIdsElsewhere: this.#lobbyIds,
      forward: (event) => this.#post({ kind: 'event', event }),
      opened: () => this.#post({ kind: 'opened' }),
      lastEventId: this.#lastEventId,
    })
    this.#stream = stream
    for (const change of this.#reports.values()) stream.announce(change)
    this.#reports.clear()
    this.#post({ kind: 'leading' })
    return new Promise((resolve) => {
      this.#resign = () => {
        stream.close()
        this.#stream = undefined
        resolve()
      }
    })
  }

  #post(note: Note): void {
    if (!this.#closing.signal.aborted) this.#parts.channel.postMessage(note)
  }

  #receive(note: Note | undefined): void {
    if (!note || this.#closing.signal.aborted) return
    if (this.#stream) this.#receiveAsLeader(this.#stream, note)
    else this.#receiveAsFollower(note)
  }

  #receiveAsLeader(stream: PlayerLobbyStream, note: Note): void {
    if (note.kind === 'announce') {
      stream.announce(note.change)
      this.#post({ kind: 'announced', change: note.change })
    }
    if (note.kind !== 'hello') return
    for (const id of note.lobbyIds) if (this.#lobbyIds.size < MAX_LOBBIES) this.#lobbyIds.add(id)
    this.#cancelRestart ??= this.#context.clock.after(RESTART_DELAY, () => {
      this.#cancelRestart = undefined
      this.#stream?.restart()
    })
  }

  #receiveAsFollower(note: Note): void {
    const { listener, player } = this.#context
    if (note.kind === 'announced') this.#reports.delete(JSON.stringify(note.change))
    if (note.kind === 'leading') {
      for (const change of this.#reports.values()) this.#post({ kind: 'announce', change })
      this.#post({ kind: 'hello', lobbyIds: player.lobbyIds() })
    }
    // Messages of the time without a connection.
    if (note.kind === 'opened')
      for (const lobbyId of player.lobbyIds()) listener({ type: 'messagePending', lobbyId })
    if (note.kind !== 'event') return
    this.#lastEventId = isEventId(note.event.id) ? note.event.id : (this.#lastEventId ?? '')
    const update = parseLobbyEvent(note.event)
    if (update) listener(update)
  }
}

/** Another version of the SDK, or any script of the page, may write to the channel. */
function readNote(data: unknown): Note | undefined {
  if (!isRecord(data)) return undefined
  const { kind, lobbyIds, change, event } = data
  if (kind === 'leading' || kind === 'opened') return { kind }
  if (kind === 'hello' && Array.isArray(lobbyIds))
    return { kind, lobbyIds: lobbyIds.filter((id) => isText(id, /^\d{1,20}$/)) }
  if (kind === 'event') return readEvent(event)
  const own = kind === 'announce' || kind === 'announced' ? readChange(change) : undefined
  return own && { kind: kind === 'announce' ? 'announce' : 'announced', change: own }
}

function readEvent(event: unknown): Note | undefined {
  const { name, data, id } = isRecord(event) ? event : {}
  if (!isText(name, /^/) || !isText(data, /^/) || !isText(id, /^/)) return undefined
  return { kind: 'event', event: { name, data, id } }
}

function readChange(change: unknown): OwnChange | undefined {
  const { lobbyId, messageId } = isRecord(change) ? change : {}
  if (!isText(lobbyId, /^/)) return undefined
  return { lobbyId, ...(isText(messageId, /^/) && { messageId }) }
}
