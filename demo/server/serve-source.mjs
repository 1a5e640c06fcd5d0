/** Serves the demo page from its source with Vite's development server: an edit of the page or of the SDK is in the browser at once. */
import { fileURLToPath } from 'node:url'

const CONFIG = fileURLToPath(new URL('../vite.config.ts', import.meta.url))

/**
 * Updates go over a web socket of the page's own server. A second start uses the same packages, which Vite keeps in `node_modules/.vite`.
 *
 * @param {import('node:http').Server} server
 */
export async function serveSource(server) {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: CONFIG,
    logLevel: 'warn',
    appType: 'spa',
    server: { middlewareMode: true, hmr: { server } },
  })
  return { serveFile: vite.middlewares, close: () => vite.close() }
}
