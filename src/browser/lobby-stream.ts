/** Lobby updates from server-sent events of the game's own backend. */
import { systemClock } from '../foundation/clock'
import { type LobbyUpdate, lobbyEvents, type LobbyUpdates, parseLobbyUpdate, type StreamTools } from '../lobbies/lobby-stream-events'
import type { PlayerLobbyStream } from './fetch-lobby-stream'

/** `EventSource.CLOSED`: the browser has stopped reconnecting. */
const CLOSED = 2
const MAX_DELAY = 60_000

/**
 * Creates a stream of lobby updates from server-sent events. Event names: `lobby.created`, `lobby.updated`, `lobby.deleted`,
 * `lobby.member_added`, `lobby.member_updated`, `lobby.member_removed`, `lobby.message` and `lobby.message_pending`; data: the service's own
 * JSON. Malformed events are ignored.
 *
 * For a URL of the client's `backendOrigins`, and of a service on this machine, the stream is authenticated with the player's token in a
 * header, and the player's own changes are reported there: the protocol of `createLobbyHub`. For any other URL it is an `EventSource`, with
 * `options`.
 *
 * A lost connection is opened again, without end: after a random delay of at most one second, doubling up to half a minute (`EventSource`:
 * one minute), not while offline, and at once when online again. Each retry is logged as `lobby_stream.refused` with the delay `wait` in ms.
 *
 * @example
 * ```ts
 * const backendOrigins = ['https://game.example']
 * const client = new Client({ applicationId, service, backendOrigins, lobbyUpdates: lobbyStream('https://game.example/lobbies') })
 * ```
 */
export function lobbyStream(url: string, options?: EventSourceInit): LobbyUpdates {
  let stream: Promise<PlayerLobbyStream> | undefined
  return {
    subscribe(listener, tools = { clock: systemClock, log: () => undefined }) {
      const { player } = tools
      const address = absolute(url)
      if (!player?.isAllowed(address)) return listen({ url, options, tools, listener })
      const opened = import('./fetch-lobby-stream').then(
        (module) => new module.PlayerLobbyStream({ clock: tools.clock, log: tools.log, player, url: address, listener }),
      )
      stream = opened
      const reconnect = () => void opened.then((each) => each.reconnect(), ignore)
      globalThis.addEventListener?.('online', reconnect)
      return () => {
        stream = undefined
        globalThis.removeEventListener?.('online', reconnect)
        opened.then((each) => each.close(), ignore)
      }
    },
    announce(change) {
      stream?.then((each) => each.announce(change), ignore)
    },
  }
}

const ignore = (): void => undefined

/** Resolves a path against the page. */
function absolute(url: string): string {
  return typeof location === 'object' ? new URL(url, location.href).href : url
}

interface Listening {
  url: string
  options: EventSourceInit | undefined
  tools: StreamTools
  listener: (update: LobbyUpdate) => void
}

/** Listens with an `EventSource`, and opens a new one when the browser gives up. Returns a function that ends it. */
function listen({ url, options, tools: { clock, log }, listener }: Listening): () => void {
  let end: () => void
  let refusals = 0
  const open = () => {
    const source = new EventSource(url, options)
    end = () => source.close()
    forwardEvents(source, listener)
    source.addEventListener('open', () => (refusals = 0))
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
    const cancel = navigator.onLine && clock.after(wait, reconnect)
    end = () => {
      if (cancel) cancel()
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
      const update = parseLobbyUpdate(name, parse(data))
      if (update) listener(update)
    })
  }
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}
