/** Server of a game's page: the built UMD, the built callback page, and two buttons. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Emulator } from 'foyer-emulator'
import type * as FoyerModule from 'foyer-sdk'
import { listen } from './loopback'

export interface GamePage {
  /** URL on `localhost`, while the emulator is on `127.0.0.1`: two sites, as in production. */
  url: string
  /** Requested paths, with their queries. */
  requests: string[]
  close: () => Promise<void>
}

export interface GamePageOptions {
  /** Extra headers on the game's own page. */
  headers?: Record<string, string>
  /** Extra headers on the callback page. */
  callbackHeaders?: Record<string, string>
  /** Content served at a path instead of the built file; undefined: 404. */
  replaced?: Readonly<Record<string, string | undefined>>
  applicationId?: string
}

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/foyer.js': ['dist/umd/index.umd.js', 'text/javascript'],
  '/callback.html': ['dist/callback/callback.html', 'text/html'],
  '/callback.js': ['dist/callback/callback.js', 'text/javascript'],
}

const HTML = `<!doctype html><title>Game</title><h1>Game</h1>
<button id="popup">Popup</button><button id="redirect">Redirect</button><button id="cancel">Cancel</button>
<output id="outcome"></output><script src="/foyer.js"></script><script src="/game.js"></script>`

/** Runs in the page. Every outcome is appended to \`outcomes\`, so that a test can await the n-th. */
function game(config: { applicationId: string; host: string }): void {
  const page = window as unknown as {
    Foyer: typeof FoyerModule
    client: FoyerModule.Client
    outcomes: string[]
    hints: number
    log: unknown[]
    messages: string[]
  }
  const { Client, redirectSurface } = page.Foyer
  const client = new Client({
    applicationId: config.applicationId,
    service: { host: config.host },
    logger: (entry) => page.log.push(entry),
  })
  Object.assign(page, { client, outcomes: [], hints: 0, log: [], messages: [] })
  client.on('maybeClosed', () => (page.hints += 1))
  const showOutcome = (outcome: string) => {
    page.outcomes.push(outcome)
    const output = document.querySelector('#outcome')
    if (output) output.textContent = outcome
  }
  const settle = (work: Promise<{ userId: string } | null>) =>
    work.then(
      (session) => showOutcome(session ? `signed in ${session.userId}` : 'nobody'),
      (error: { code: string; message: string }) => {
        page.messages.push(error.message)
        showOutcome(error.code)
      },
    )
  document.querySelector('#popup')?.addEventListener('click', () => void settle(client.signIn()))
  document
    .querySelector('#redirect')
    ?.addEventListener('click', () => void settle(client.signIn({ surface: redirectSurface() })))
  document.querySelector('#cancel')?.addEventListener('click', () => client.abortAuthorize())
  void settle(client.resume())
}

export async function serveGame(
  emulator: Emulator,
  { headers = {}, callbackHeaders = {}, replaced = {}, applicationId }: GamePageOptions = {},
): Promise<GamePage> {
  const script = `(${String(game)})(${JSON.stringify({ applicationId: applicationId ?? emulator.application.id, host: emulator.url })})`
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    requests.push(pathname + search)
    const file = FILES[pathname]
    const extra = pathname === '/' ? headers : pathname === '/callback.html' ? callbackHeaders : {}
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': type, ...extra }).end(body)
    if (pathname === '/') send('text/html', HTML)
    else if (pathname in replaced) {
      const text = replaced[pathname]
      if (text === undefined) response.writeHead(404).end()
      else send(pathname.endsWith('.js') ? 'text/javascript' : 'text/html', text)
    } else if (pathname === '/game.js') send('text/javascript', script)
    else if (file)
      readFile(file[0]).then(
        (body) => send(file[1], body),
        () => response.writeHead(500).end(),
      )
    else response.writeHead(404).end()
  })
  const { port, close } = await listen(server)
  return { url: `http://localhost:${port}`, requests, close }
}
