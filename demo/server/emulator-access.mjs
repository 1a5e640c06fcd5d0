/** Access of the page's server to the emulator: as the game's backend, with the bot token, and to the control plane. The page has neither. */

/** @import { Emulator } from 'foyer-emulator' */
/** @import { ApplicationClientOptions } from 'foyer-sdk/server' */
/** @import { BackendClient, ServerSdk } from './server-types' */

/**
 * Creates a client of the game's backend.
 *
 * @param {Pick<ServerSdk, 'ApplicationClient' | 'botToken'>} sdk
 * @param {Pick<Emulator, 'url' | 'application'>} emulator
 * @param {Partial<ApplicationClientOptions>} [options] further ones of the client
 * @returns {BackendClient}
 */
export function createBackendClient({ ApplicationClient, botToken }, { url, application }, options = {}) {
  const credentials = botToken(application.botToken)
  return new ApplicationClient({
    applicationId: application.id,
    service: { host: url },
    credentials,
    ...options,
  })
}

/**
 * A backend's request that is sent without the SDK: only one with a body has a type.
 *
 * @param {Pick<Emulator, 'application'>} emulator
 * @param {RequestInit} init
 * @returns {RequestInit}
 */
export function backendRequest({ application }, init) {
  const type = init.body === undefined ? {} : { 'content-type': 'application/json' }
  return { ...init, headers: { authorization: `Bot ${application.botToken}`, ...type } }
}

/**
 * Creates a lobby without the SDK, as a backend in another language does.
 *
 * @param {Emulator} emulator
 * @param {object} [lobby]
 * @returns {Promise<{ id: string }>} the lobby
 */
export async function createLobby(emulator, lobby = {}) {
  const init = backendRequest(emulator, { method: 'POST', body: JSON.stringify(lobby) })
  const response = await fetch(`${emulator.url}/api/v10/lobbies`, init)
  if (!response.ok)
    throw new Error(`The emulator refused a lobby with ${response.status}. Wait a second and try again.`)
  return response.json()
}

/**
 * Reads from the control plane. Rejects with the rule that refused the request.
 *
 * @template Content
 * @param {Pick<Emulator, 'url' | 'controlToken'>} emulator
 * @param {string} path
 * @returns {Promise<Content>}
 */
export async function readControlPlane({ url, controlToken }, path) {
  const response = await fetch(`${url}/_emulator/${path}`, {
    headers: { authorization: `Bearer ${controlToken}` },
  })
  const body = await response.json()
  const rule = response.headers.get('x-emulator-rule')
  if (!response.ok)
    throw new Error(
      [body.message ?? `The emulator refused with ${response.status}`, rule].filter(Boolean).join(': '),
    )
  return body
}
