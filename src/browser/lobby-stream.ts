/** Lobby updates from a server-sent stream of the game's own backend. */
import { systemClock } from '../foundation/clock'
import { type LobbyUpdate, lobbyEvents, type LobbyUpdates, parseLobbyUpdate } from '../lobbies/lobby-events'

/** Of an `EventSource` that its browser has given up. */
const CLOSED = 2
const LONGEST_PAUSE = 60_000

/**
 * Listens to a stream of server-sent events named `lobby.created`, `lobby.updated`, `lobby.deleted`, `lobby.member_added`,
 * `lobby.member_updated`, `lobby.member_removed` and `lobby.message`, each with the service's own JSON as its data. An event that does not
 * look as it should is dropped.
 *
 * A connection that breaks off is made again by the browser. Where the browser gives up, since something else than a stream answered (503
 * while a backend starts again), a new one is made: after 0.5 to 1 s, then after twice as long each time, up to a minute; not while the
 * network is away, and at once when it is back. Each pause is logged as `lobby_stream.refused` with its length, `wait`, in ms. It never
 * ends by itself: a browser does not tell what was answered, and so not whether it can get better.
 */
export function lobbyStream(url: string, options?: EventSourceInit): LobbyUpdates {
  return {
    subscribe(listener, { clock, log } = { clock: systemClock, log: () => undefined }) {
      let end: () => void
      let refusals = 0
      const listen = () => {
        const source = new EventSource(url, options)
        end = () => source.close()
        tell(source, listener)
        source.addEventListener('open', () => (refusals = 0))
        source.addEventListener('error', () => {
          if (source.readyState === CLOSED) listenLater()
        })
      }
      const listenLater = () => {
        const wait = Math.min(1000 * 2 ** refusals++, LONGEST_PAUSE) * (1 - Math.random() / 2)
        log('warn', 'lobby_stream.refused', { wait })
        const goOn = () => {
          end()
          listen()
        }
        const cancel = navigator.onLine && clock.after(wait, goOn)
        end = () => {
          if (cancel) cancel()
          removeEventListener('online', goOn)
        }
        addEventListener('online', goOn)
      }
      listen()
      return () => end()
    },
  }
}

function tell(source: EventSource, listener: (update: LobbyUpdate) => void): void {
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
