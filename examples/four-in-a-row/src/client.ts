// The player's connection to the service.
import { Client, connectMainClient, hasMainClient, lobbyStream, sessionStorageStore } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId, VITE_LOBBY_HUB } = import.meta.env

/** Stream that brings messages at once, and tells who is there. For your players it is that of your backend's hub. */
const hub = VITE_LOBBY_HUB ?? emulatorStream()

/** True if who is there is known. */
export const hasHub = hub !== undefined

// In Electron the main process has the client. In a page, this tab has its own player.
export const client = hasMainClient() ? connectMainClient() : new Client(settings())

/** The id of the player who has signed in. */
export function me(): string {
  return client.session!.userId
}

function emulatorStream(): string | undefined {
  return host?.startsWith('http:') ? `${host}/lobby-stream` : undefined
}

function settings() {
  const usual = { applicationId, service: { host }, tokenStore: sessionStorageStore() }
  if (!hub) return usual
  // The emulator is the service itself, and no backend of the game.
  const backendOrigins = VITE_LOBBY_HUB ? [new URL(VITE_LOBBY_HUB).origin] : []
  return { ...usual, lobbyUpdates: lobbyStream(hub), backendOrigins }
}
