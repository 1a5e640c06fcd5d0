/** Acts in a lobby of which only the id is known, for example one that the game's backend has created. */
import type { Client, Lobby } from 'foyer-sdk'

/** The service tells a player of no such lobby: its state is unknown until a call succeeds. */
export function addLobby(client: Client, id: string): Promise<Lobby> {
  return client.lobbies.add({
    id,
    application_id: client.applicationId,
    members: [{ id: client.session?.userId }],
  })
}
