/** Lobby updates from server-sent events of the game's own backend. */
import { systemClock } from '../foundation/clock'
import { type LobbyUpdate, lobbyEvents, type LobbyUpdates, parseLobbyUpdate } from '../lobbies/lobby-stream-events'

/** `EventSource.CLOSED`: the browser has stopped reconnecting. */
const CLOSED = 2
const MAX_DELAY = 60_000

/**
 * Creates a stream of lobby updates from server-sent events. Event names: `lobby.created`, `lobby.updated`, `lobby.deleted`,
 * `lobby.member_added`, `lobby.member_updated`, `lobby.member_removed` and `lobby.message`; data: the service's own JSON. Malformed events
 * are ignored.
 *
 * The browser reconnects after a lost connection. If it gives up, because the response is no event stream (503 during a restart), the
 * stream reconnects itself: after 0.5 to 1 s, doubling up to one minute, not while offline, and at once when online again. Each retry is
 * logged as `lobby_stream.refused` with the delay `wait` in ms. It retries without end, because browsers do not expose the failed response.
 *
 * @example
 * ```ts
 * const client = new Client({ applicationId, service, lobbyUpdates: lobbyStream('/lobby-events') })
 * ```
 */
export function lobbyStream(url: string, options?: EventSourceInit): LobbyUpdates {
  return {
    subscribe(listener, { clock, log } = { clock: systemClock, log: () => undefined }) {
      let end: () => void
      let refusals = 0
      const listen = () => {
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
          listen()
        }
        const cancel = navigator.onLine && clock.after(wait, reconnect)
        end = () => {
          if (cancel) cancel()
          removeEventListener('online', reconnect)
        }
        addEventListener('online', reconnect)
      }
      listen()
      return () => end()
    },
  }
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
