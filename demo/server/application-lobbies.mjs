/** Lobbies of the application, as its backend manages them: this process has the bot token, the page has not. */
import { createBackendClient, readControlPlane } from './emulator-access.mjs'

/** @import { Emulator } from 'foyer-emulator' */
/** @import { BackendClient, LoadSdk, LobbyEntry, Overview } from './server-types' */

/** Shortest and longest idle timeout, in seconds. */
const IDLE = { smallest: 5, largest: 604_800 }

/**
 * Returns acts of the page's endpoints.
 *
 * @param {Emulator} emulator
 * @param {LoadSdk} load imports `foyer-sdk/server`
 */
export function createLobbyActs(emulator, load) {
  /** @type {BackendClient | undefined} */
  let client
  const lobbies = async () => (client ??= createBackendClient(await load(), emulator)).lobbies
  return {
    /** The interface has no list of lobbies: it comes from the emulator's control plane. */
    lobby_list: async () => {
      /** @type {Overview} */
      const { now, lobbies: all } = await readControlPlane(emulator, 'overview')
      return {
        now,
        lobbies: all.filter(({ lobby }) => lobby.applicationId === emulator.application.id).map(shownLobby),
      }
    },
    /** @param {{ members: string[], idle: number }} body */
    lobby_create: async ({ members, idle }) => {
      if (!Number.isInteger(idle) || idle < IDLE.smallest || idle > IDLE.largest)
        throw new Error(
          `An idle timeout is a whole number of seconds from ${IDLE.smallest} to ${IDLE.largest.toLocaleString('en')}.`,
        )
      const { id } = await (
        await lobbies()
      ).create({ members: members.map((user) => ({ id: user })), idle_timeout_seconds: idle })
      return { id }
    },
    /** @param {{ lobby: string, user: string }} body */
    lobby_add: async ({ lobby, user }) => void (await (await lobbies()).putMember(lobby, { id: user })),
    /** @param {{ lobby: string, user: string }} body */
    lobby_remove: async ({ lobby, user }) => (await lobbies()).removeMember(lobby, user),
    /** @param {{ lobby: string }} body */
    lobby_delete: async ({ lobby }) => (await lobbies()).delete(lobby),
  }
}

/**
 * Without metadata values: the list counts their characters only.
 *
 * @param {LobbyEntry} entry
 */
function shownLobby({ lobby: { id, bySecret, channelId, idleSeconds, metadata, members }, closesAt }) {
  const characters = Object.entries(metadata ?? {}).reduce(
    (sum, [key, value]) => sum + Array.from(key + value).length,
    0,
  )
  return {
    id,
    bySecret,
    isLinked: channelId !== null,
    idleSeconds,
    characters,
    members: members.map(({ userId }) => userId),
    closesAt,
  }
}
