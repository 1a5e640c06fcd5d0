/** Serves a game with Vite's development server, in the folder in which Playwright runs. */
import { createServer } from 'vite'
import { environment } from '../emulator/environment.js'
import type { Emulator } from '../emulator/emulator.js'

export async function serveWithVite(emulator: Emulator): Promise<{ url: string; close(): Promise<void> }> {
  // The plugin of the SDK uses the emulator that they name.
  Object.assign(process.env, environment(emulator))
  const server = await createServer({ logLevel: 'error', server: { port: 0 } })
  await server.listen(0)
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
}
