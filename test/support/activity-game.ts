/** A game in a frame that talks to its host through a public embedded-app SDK, served file by file as packaged. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { posix } from 'node:path'
import type { Emulator } from 'foyer-emulator'
import { listen } from './loopback'

export interface ActivityGame {
  /** URL to pass to `emulator.activity.serve`. */
  url: string
  /** Requested paths, with their queries. */
  requests: string[]
  close: () => Promise<void>
}

const SDK = 'node_modules/@discord/embedded-app-sdk/output'

/** Runs in the frame. The state of the game is in `window`, and in a line of text for the viewer. */
const script = `
import * as library from '/sdk/index.mjs'
const [, Sdk] = Object.entries(library).find(([name]) => /^(?!.*Mock)[A-Z]\\w+SDK$/.test(name))
const sdk = new Sdk(document.querySelector('meta[name=client]').content)
const say = (text) => { document.querySelector('#said').textContent = text }
const count = ({ participants }) => say(participants.map(({ username }) => username).sort().join(' and '))
Object.assign(window, { sdk, joins: [] })
await sdk.ready()
await sdk.subscribe('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', count)
await sdk.subscribe('ACTIVITY_JOIN', ({ secret }) => window.joins.push(secret))
count(await sdk.commands.getInstanceConnectedParticipants())
document.body.dataset.ready = 'yes'
`

const html = (
  clientId: string,
) => `<!doctype html><html lang="en"><title>Game</title><meta name="client" content="${clientId}">
<body><h1>Moon Base</h1><p id="said">connecting</p><script type="module" src="/game.js"></script></body></html>`

export async function serveActivityGame(
  { application }: Pick<Emulator, 'application'>,
  clientId = application.id,
): Promise<ActivityGame> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    requests.push(pathname + search)
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': type }).end(body)
    if (pathname === '/game/') send('text/html', html(clientId))
    else if (pathname === '/game.js') send('text/javascript', script)
    else if (pathname.startsWith('/sdk/'))
      readFile(SDK + posix.normalize(pathname.slice('/sdk'.length))).then(
        (body) => send('text/javascript', body),
        () => response.writeHead(404).end(),
      )
    else response.writeHead(404).end()
  })
  const { port, close } = await listen(server)
  return { url: `http://localhost:${port}/game/`, requests, close }
}
