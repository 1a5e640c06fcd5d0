/** Lobbies of the application, as its backend manages them: this process has the bot token, the page has not. */

import { createBackendClient, readControlPlane } from './emulator-access.mjs'

/** Shortest and longest idle timeout, in seconds. */
const IDLE = { smallest: 5, largest: 604_800 }

/** `load` imports `foyer-sdk/server`. Returns acts of the page's endpoints. */
export function createLobbyActs(emulator, load) {
  let client
  const lobbies = async () => (client ??= createBackendClient(await load(), emulator)).lobbies
  return {
    /** The interface has no list of lobbies: it comes from the emulator's control plane. */
    lobby_list: async () => {
      const { now, lobbies: all } = await readControlPlane(emulator, 'overview')
      return { now, lobbies: all.filter(({ lobby }) => lobby.applicationId === emulator.application.id).map(shownLobby) }
    },
    lobby_create: async ({ members, idle }) => {
      if (!Number.isInteger(idle) || idle < IDLE.smallest || idle > IDLE.largest)
        throw new Error(`An idle timeout is a whole number of seconds from ${IDLE.smallest} to ${IDLE.largest.toLocaleString('en')}.`)
      const { id } = await (await lobbies()).create({ members: members.map((user) => ({ id: user })), idle_timeout_seconds: idle })
      return { id }
    },
    lobby_add: async ({ lobby, user }) => void (await (await lobbies()).putMember(lobby, { id: user })),
    lobby_remove: async ({ lobby, user }) => (await lobbies()).removeMember(lobby, user),
    lobby_delete: async ({ lobby }) => (await lobbies()).delete(lobby),
  }
}

/** Without metadata values: the list counts their characters only. */
function shownLobby({ lobby: { id, bySecret, channelId, idleSeconds, metadata, members }, closesAt }) {
  const characters = Object.entries(metadata ?? {}).reduce((sum, [key, value]) => sum + Array.from(key + value).length, 0)
  return { id, bySecret, isLinked: channelId !== null, idleSeconds, characters, members: members.map(({ userId }) => userId), closesAt }
}
