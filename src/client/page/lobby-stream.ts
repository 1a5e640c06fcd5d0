/** Lobby updates from server-sent events of the game's own backend. */
import { loadStream } from './capabilities'
import { ConfigurationError } from '../../shared/foundation/errors'
import { systemClock } from '../../shared/foundation/clock'
import type { LobbyUpdates } from '../lobbies/lobby-updates'
import type { LobbyStreamOptions } from './open-lobby-stream'
import type { OpenLobbyStream } from './player-lobby-stream'

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
 * one minute), not while offline, and at once when online again. A connection that lasts five seconds resets the delay. Each retry is logged
 * as `lobby_stream.refused` with the delay `wait` in ms.
 *
 * @throws ConfigurationError `invalid_argument` without a url.
 * @example
 * ```ts
 * const backendOrigins = ['https://game.example']
 * const client = new Client({ applicationId, service, backendOrigins, lobbyUpdates: lobbyStream('https://game.example/lobbies') })
 * ```
 */
export function lobbyStream(url: string, options?: LobbyStreamOptions): LobbyUpdates {
  if (typeof url !== 'string')
    throw new ConfigurationError('invalid_argument', 'url', {
      remedy: "Give the address of the hub: lobbyStream('https://game.example/lobbies')",
    })
  let stream: Promise<OpenLobbyStream> | undefined
  return {
    subscribe(listener, tools = { clock: systemClock, log: () => undefined }) {
      // Loaded with the first lobby call: no game needs it before.
      const opened = loadStream().then((module) => module.openLobbyStream({ url, options, tools, listener }))
      stream = opened
      opened.catch(() => tools.log('error', 'lobby_stream.reload_required'))
      return () => {
        stream = undefined
        opened.then((each) => each.close(), ignore)
      }
    },
    announce(change) {
      stream?.then((each) => each.announce(change), ignore)
    },
  }
}

const ignore = (): void => undefined
