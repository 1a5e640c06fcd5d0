/** Opens a stream of lobby updates: with the player's token where that may be sent, otherwise as an `EventSource`. */
import { withoutUndefined } from '../../shared/foundation/untrusted-values'
import { type LobbyUpdate, lobbyEvents, parseLobbyEvent, type StreamTools } from '../lobbies/lobby-updates'
import type { OpenLobbyStream } from './player-lobby-stream'
import { openPlayerStream } from './open-player-stream'

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
  const open = () => {
    const source = new EventSource(url, withoutUndefined(options))
    end = () => source.close()
    forwardEvents(source, listener)
    source.addEventListener('open', () => {
      refusals = 0
      // Messages of the time without a connection.
      for (const lobbyId of player?.lobbyIds() ?? []) listener({ type: 'messagePending', lobbyId })
    })
    source.addEventListener('error', () => {
      if (source.readyState === CLOSED) reconnectLater()
    })
  }
  const reconnectLater = () => {
    const wait = Math.min(1000 * 2 ** refusals++, MAX_DELAY) * (1 - Math.random() / 2)
    log('warn', 'lobby_stream.refused', { wait })
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

function forwardEvents(source: EventSource, listener: (update: LobbyUpdate) => void): void {
  for (const name of lobbyEvents()) {
    source.addEventListener(name, ({ data }: MessageEvent<unknown>) => {
      const update = parseLobbyEvent({ name, data: String(data) })
      if (update) listener(update)
    })
  }
}
