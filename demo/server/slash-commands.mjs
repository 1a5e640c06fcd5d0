/** Registers the page's commands at the emulator, and answers them: this process has the bot token, the page has not. */
import { createBackendClient } from './emulator-access.mjs'
import { createLobbyActs } from './application-lobbies.mjs'
import { createLimitActs } from './limit-bursts.mjs'
import { createLoopbackActs } from './loopback-callbacks.mjs'
import { createMetadataActs } from './metadata-edits.mjs'
import { createPermissionActs } from './command-permissions.mjs'
import { loadLoopback } from './serve-built-page.mjs'

/** @import { Emulator } from 'foyer-emulator' */
/** @import { BackendClient, Handle, LoadSdk } from './server-types' */
/** @typedef {Parameters<BackendClient['commands']['global']['sync']>[0]} Commands */
/** @typedef {{ name: string, value?: string | number | boolean, focused?: boolean }} Option */
/** @typedef {{ custom_id?: string, name?: string, type?: number, target_id?: string, options?: readonly Option[] }} Data */

const PONG = 1
const MESSAGE = 4
const SUGGESTIONS = 8
const LAUNCH = 12
const ARENAS = ['Harbour', 'Harvest field', 'Tower', 'Old mill']

/**
 * @param {Emulator} emulator
 * @param {{ load: LoadSdk, origin: string }} options `load` imports `foyer-sdk/server`. `origin` is the address of this server.
 */
export function createCommandEndpoints(emulator, { load, origin }) {
  let isConnected = false
  const client = async () => createBackendClient(await load(), emulator)
  /** @param {{ commands: Commands }} body */
  const sync = async ({ commands }) => {
    const { plan, requests } = await (await client()).commands.global.sync(commands)
    if (!isConnected) await emulator.interactions.connect(`${origin}/interactions`)
    isConnected = true
    return { plan: String(plan), requests }
  }
  /** @param {{ commands: Commands }} body */
  const plan = async ({ commands }) => ({
    plan: String(await (await client()).commands.global.plan(commands)),
  })
  /** @type {Handle} */
  const handle = async (request, response) => {
    if (request.url !== '/interactions') return false
    const { toNodeListener, verifyInteraction } = await load()
    await toNodeListener(async (received) => {
      const verified = await verifyInteraction(received, emulator.application.publicKey)
      return verified.ok
        ? Response.json(answerTo(verified.interaction))
        : new Response(verified.reason, { status: 401 })
    })(request, response)
    return true
  }
  const lobbies = {
    ...createMetadataActs(emulator, load),
    ...createLobbyActs(emulator, load),
    ...createLimitActs(emulator, load),
  }
  return {
    acts: { plan, sync, ...createPermissionActs(emulator), ...lobbies, ...createLoopbackActs(loadLoopback) },
    handle,
  }
}

/**
 * Repeats what was received, so that a person sees it arrive. Suggests arenas for any option with autocomplete.
 *
 * @param {{ type: number, data?: Data }} interaction
 */
function answerTo({ type, data }) {
  if (type === 1) return { type: PONG }
  if (type === 4) return { type: SUGGESTIONS, data: { choices: suggestionsFor(data?.options ?? []) } }
  if (data?.type === 4) return { type: LAUNCH }
  const options = (data?.options ?? []).map(({ name, value }) => `${name}: ${value ?? '…'}`)
  const target = data?.target_id === undefined ? [] : [`target: ${data.target_id}`]
  return {
    type: MESSAGE,
    data: { content: [`The demo received ${data?.name ?? 'it'}.`, ...options, ...target].join('\n') },
  }
}

/** @param {readonly Option[]} options */
function suggestionsFor(options) {
  const typed = String(options.find(({ focused }) => focused)?.value ?? '').toLowerCase()
  return ARENAS.filter((name) => name.toLowerCase().startsWith(typed)).map((name) => ({ name, value: name }))
}
