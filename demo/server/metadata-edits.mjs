/** Two edits of one lobby's metadata at the same moment, as two processes of a game's backend make them: each with a client of its own. */
import { createBackendClient } from './emulator-access.mjs'

/** @import { Emulator } from 'foyer-emulator' */
/** @import { Fetch } from 'foyer-sdk/server' */
/** @import { BackendClient, LoadSdk } from './server-types' */
/** @typedef {Readonly<Record<string, string>>} Metadata */
/** @typedef {readonly [BackendClient, BackendClient]} Clients */
/** @typedef {readonly [string, string]} Players */

/** Longest name of a player that becomes a key of the metadata, in characters. */
const NAME = 100

/**
 * Returns acts of the page's endpoints.
 *
 * @param {Emulator} emulator
 * @param {LoadSdk} load imports `foyer-sdk/server`
 */
export function createMetadataActs(emulator, load) {
  /** @param {{ lobby: string, players: Players, safely?: boolean }} body */
  const edit = async ({ lobby, players, safely = false }) => {
    if (!Array.isArray(players) || players.length !== 2 || !players.every(isName))
      throw new Error('Two names of players are needed.')
    const sdk = await load()
    /** @type {object[]} */
    const requests = []
    // Both clients share it: `updateMetadata` excludes the other client by it.
    const stores = new sdk.MemoryRateLimitStores()
    /** @param {string} player */
    const connect = (player) =>
      createBackendClient(sdk, emulator, { rateLimitStore: stores.store(), fetch: record(player, requests) })
    const clients = /** @type {const} */ ([connect(players[0]), connect(players[1])])
    try {
      await (safely ? mergeAll(clients, lobby, players) : overwriteAll(clients, lobby, players))
      const metadata = (await clients[0].lobbies.get(lobby)).metadata ?? {}
      // The last request reads the result, and is part of no edit.
      return { requests: requests.slice(0, -1), metadata }
    } finally {
      for (const client of clients) client.close()
    }
  }
  return { metadata: edit }
}

/** @param {unknown} name */
function isName(name) {
  return typeof name === 'string' && name.length > 0 && name.length <= NAME
}

/**
 * Counts the edits of this player, and those of all.
 *
 * @param {string} player
 * @returns {(seen: Metadata) => Metadata}
 */
function changeOf(player) {
  return (seen) => ({ [player]: oneMore(seen[player]), edits: oneMore(seen['edits']) })
}

/** @param {string | undefined} text */
function oneMore(text) {
  return String((Number(text) || 0) + 1)
}

/**
 * Both read, then both write what they read with their change: the second write replaces the first.
 *
 * @param {Clients} clients
 * @param {string} lobby
 * @param {Players} players
 */
async function overwriteAll(clients, lobby, players) {
  const seen = await Promise.all(clients.map((client) => client.lobbies.get(lobby)))
  const writes = clients.map((client, index) => {
    const metadata = seen[index]?.metadata ?? {}
    return client.lobbies.edit(lobby, {
      metadata: { ...metadata, ...changeOf(players[index] ?? '')(metadata) },
    })
  })
  await Promise.all(writes)
}

/**
 * @param {Clients} clients
 * @param {string} lobby
 * @param {Players} players
 */
function mergeAll(clients, lobby, players) {
  return Promise.all(
    clients.map((client, index) => client.lobbies.updateMetadata(lobby, changeOf(players[index] ?? ''))),
  )
}

/**
 * `fetch` that adds each request with its response to the list, in the order of the responses, without credentials.
 *
 * @param {string} player
 * @param {object[]} requests
 * @returns {Fetch}
 */
function record(player, requests) {
  return async (url, init) => {
    const response = await fetch(url, init)
    const answer = await response
      .clone()
      .json()
      .catch(() => ({}))
    const { pathname } = new URL(url)
    const sent = typeof init?.body === 'string' ? JSON.parse(init.body).metadata : undefined
    requests.push({
      player,
      method: init?.method ?? 'GET',
      path: pathname,
      status: response.status,
      sent,
      received: answer.metadata ?? {},
    })
    return response
  }
}
