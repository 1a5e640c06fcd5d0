/** Lobby updates from a server-sent stream of the game's own backend. */
import { lobbyEvents, type LobbyUpdates, parseLobbyUpdate } from '../lobbies/lobby-update'

/**
 * Listens to a stream of server-sent events named `lobby.created`, `lobby.updated`, `lobby.deleted`, `lobby.member_added`,
 * `lobby.member_updated`, `lobby.member_removed` and `lobby.message`, each with the service's own JSON as its data. The browser connects
 * again by itself. An event that does not look as it should is dropped.
 */
export function lobbyStream(url: string, options?: EventSourceInit): LobbyUpdates {
  return {
    subscribe(listener) {
      const source = new EventSource(url, options)
      for (const name of lobbyEvents()) {
        source.addEventListener(name, ({ data }: MessageEvent<unknown>) => {
          const update = parseLobbyUpdate(name, parse(data))
          if (update) listener(update)
        })
      }
      return () => source.close()
    },
  }
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}
