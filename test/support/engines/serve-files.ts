/** Server of pages that a test writes itself, with the built SDK beside them and an emulator. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { posix } from 'node:path'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { listen } from '../loopback'
import { closeAfterTest } from './in-every-engine'

export interface ServedFiles {
  /** On `localhost`, while the emulator is on `127.0.0.1`: two sites, as in production. */
  url: string
  emulator: Emulator
}

const TYPES: Record<string, string> = { js: 'text/javascript', html: 'text/html', json: 'application/json' }

/**
 * `files`: bodies by path, created when the emulator's values are known. `/dist/…` is the build of the SDK, and the callback page is in
 * place. `headers` apply to the pages of `files`.
 */
export async function serveFiles(
  files: (game: { applicationId: string; host: string }) => Readonly<Record<string, string | Buffer>>,
  headers: Record<string, string> = {},
): Promise<ServedFiles> {
  const emulator = await createEmulator()
  const made = files({ applicationId: emulator.application.id, host: emulator.url })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const type = TYPES[posix.extname(pathname).slice(1)] ?? 'text/html'
    const send = (body: string | Buffer, extra = {}) =>
      response.writeHead(200, { 'content-type': type, ...extra }).end(body)
    const own = made[pathname]
    if (own !== undefined) send(own, type === 'text/html' ? headers : {})
    else
      readFile(fileOf(pathname)).then(
        (body) => send(body),
        () => response.writeHead(404).end(),
      )
  })
  const { port, close } = await listen(server)
  closeAfterTest({ close })
  closeAfterTest(emulator)
  return { url: `http://localhost:${port}/`, emulator }
}

function fileOf(pathname: string): string {
  const path = posix.normalize(pathname).slice(1)
  return path.startsWith('callback.') ? `dist/callback/${path}` : path
}
