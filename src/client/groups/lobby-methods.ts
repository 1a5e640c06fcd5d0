/** Joins of the signed-in player. The lobbies that they return have the other calls. */
import { checkOptions } from '../../shared/foundation/options'
import type { Caller } from '../context/caller'
import type { ClientContext } from '../context/client-context'
import { openUserApi } from '../context/create-user-api'
import type { LobbyJoins } from '../lobbies/lobby-joins'
import { LobbyServices } from './lobby-services'

const JOIN_OPTIONS = ['metadata', 'member', 'idleTimeout', 'signal'] as const

export type LobbyMethods = LobbyJoins

export async function createLobbyMethods(context: ClientContext): Promise<(caller: Caller) => LobbyMethods> {
  const limited = await openUserApi(context)
  const services = new LobbyServices(context, limited, context.lobbyUpdates && (await context.playerRequests()))
  return (caller) => ({
    async createOrJoinLobby(secret, options) {
      const lobby = await services.join(caller, secret, checkOptions(options, JOIN_OPTIONS))
      if (context.invitation === secret) context.invitation = undefined
      return lobby
    },
    add: async (lobby) => services.add(caller, lobby),
    clearRateLimitBlocks: () => services.clearBlocks(caller),
    restore: () => services.restore(caller),
  })
}
