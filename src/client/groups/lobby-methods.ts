/** Joins of the signed-in player. The lobbies that they return have the other calls. */
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import type { Caller } from '../context/caller'
import type { ClientContext } from '../context/client-context'
import { openUserApi } from '../context/create-user-api'
import type { Lobby } from '../lobbies/lobby'
import type { JoinOptions } from '../lobbies/validate-player-input'
import { LobbyServices } from './lobby-services'

const JOIN_OPTIONS = ['metadata', 'member', 'idleTimeout', 'signal'] as const

/** The code of the calls with which a player enters lobbies. */
export type LobbyMethods = ReturnType<Awaited<ReturnType<typeof createLobbyMethods>>>

export async function createLobbyMethods(context: ClientContext) {
  const limited = await openUserApi(context)
  const services = new LobbyServices(
    context,
    limited,
    context.lobbyUpdates && (await context.playerRequests()),
  )
  return (caller: Caller) => ({
    async createOrJoinLobby(secret: string, options?: JoinOptions & CallOptions): Promise<Lobby> {
      const lobby = await services.join(caller, secret, checkOptions(options, JOIN_OPTIONS))
      if (context.invitation === secret) context.invitation = undefined
      return lobby
    },
    add: async (lobby: unknown): Promise<Lobby> => services.add(caller, lobby),
    clearRateLimitBlocks: (): Promise<void> => services.clearBlocks(caller),
    /** Brings back the lobbies that are kept beside the session. Never rejects. */
    restore: (): Promise<void> => services.restore(caller),
  })
}
