/** `createOrJoinLobby` for the calls of Activities. */
import type { JoinOptions } from '../lobbies/validate-player-input'
import type { Lobby } from '../lobbies/lobby'
import type { Caller } from './caller'
import type { ClientContext } from './client-context'

/** Arguments of `createOrJoinLobby`, and the player who joins. */
export interface LobbyJoin {
  readonly secret: string
  readonly options?: (JoinOptions & { signal?: AbortSignal | undefined }) | undefined
  /** Default: the player who is signed in now. */
  readonly caller?: Caller | undefined
}

/** @throws The errors of `createOrJoinLobby`. */
export async function joinLobby(
  context: ClientContext,
  { secret, options, caller: given }: LobbyJoin,
): Promise<Lobby> {
  context.requireOpen()
  const caller = given?.userId === undefined ? context.authState.caller : given
  return (await context.lobbies())(caller).createOrJoinLobby(secret, options)
}
