/** Serves a built game as static hosts do: compressed, and cached for ten minutes. */
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { listen, type Listening } from '../../test/support/loopback'

/** `service`: replaces `__SERVICE__` in pages. */
export function serveFiles(files: ReadonlyMap<string, string>, service: object): Promise<Listening> {
  const bodies = new Map(
    [...files].map(([path, text]) => [
      path,
      gzipSync(text.replace('__SERVICE__', JSON.stringify(service)), { level: 9 }),
    ]),
  )
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname
    const body = bodies.get(path)
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    const headers = { 'content-type': type, 'content-encoding': 'gzip', 'cache-control': 'max-age=600' }
    if (body) response.writeHead(200, headers).end(body)
    else response.writeHead(404).end()
  })
  return listen(server)
}
