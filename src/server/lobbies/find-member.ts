/** Finds a player among the members of a lobby, for backends that admit members only. */
import { ApiError } from '../../shared/foundation/errors'
import { PlayerTokenError } from '../players/player-token-error'
import type { Lobby, LobbyMember } from '../../shared/wire/lobby'

/** `read` resolves with undefined if there is no such lobby. @throws PlayerTokenError `not_a_member`. @throws the other errors of `read`. */
export async function findMember(
  playerId: string,
  read: () => Promise<Lobby | undefined>,
): Promise<LobbyMember> {
  const lobby = await read().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'unknown_lobby') return undefined
    throw error
  })
  const member = lobby?.members.find(({ id }) => id === playerId)
  if (!member) throw new PlayerTokenError('not_a_member')
  return member
}
