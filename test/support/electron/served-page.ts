/** Serves the page of the test game over HTTP. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { PackedPackage } from '../packed-package'
import { listen } from '../loopback'

const HTML = `<!doctype html><title>Game</title><h1>Game</h1><script src="/foyer.js"></script><script src="/game.js"></script>`
/** Outcomes are plain data: `{ userId }` or `{ error }`. */
const SCRIPT = `const client = Foyer.connectMainClient()
const changes = []
client.on('sessionChanged', ({ session }) => changes.push(session && session.userId))
const outcome = (work) => work.then((session) => ({ userId: session && session.userId }), (error) => ({ error: error.code, name: error.name }))
const signIn = (options) => outcome(client.signIn(options))`

/** Content types and bodies, by path. */
export function pagesOf(packed: PackedPackage): Record<string, [type: string, body: string]> {
  return {
    '/': ['text/html', HTML],
    '/foyer.js': ['text/javascript', readFileSync(join(packed.folder, 'dist/umd/index.umd.js'), 'utf8')],
    '/game.js': ['text/javascript', SCRIPT],
  }
}

export async function servePage(
  packed: PackedPackage,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const files = pagesOf(packed)
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? '/'] ?? ['text/html', '']
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  const { port, close } = await listen(server)
  return { origin: `http://localhost:${port}`, close }
}
