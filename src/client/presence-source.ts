/** Connects the rich presence of an Activity with the client's lobbies and session. */
import type { PresenceSource } from '../activity/presence'
import { FoyerError } from '../foundation/errors'
import { reveal } from '../foundation/secret'
import type { Lobby } from '../lobbies/lobby-types'
import type { ClientContext } from './client-context'

export function presenceSource({ lobbies, on, off, sessions, log }: ClientContext): PresenceSource {
  return {
    lobby: (id) => lobbies.get(id),
    onLobbies(listener) {
      const changed = ({ lobby }: { lobby: Lobby }) => listener({ id: lobby.id, ended: false })
      const ended = ({ lobby }: { lobby: Lobby }) => listener({ id: lobby.id, ended: true })
      on('lobbyUpdated', changed)
      on('lobbyDeleted', ended)
      return () => {
        off('lobbyUpdated', changed)
        off('lobbyDeleted', ended)
      }
    },
    accessToken: async () => reveal((await (await sessions()).getUsableRecord()).tokens.accessToken),
    onFailure: (error) => log('warn', 'activity.presence_failed', { code: error instanceof FoyerError ? error.code : 'unknown' }),
  }
}
