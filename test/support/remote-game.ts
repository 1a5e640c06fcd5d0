/** A game in a frame that evaluates expressions which a test sends through the game's own server: works in every browser engine. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { posix } from 'node:path'
import { listen } from './loopback'

const SDK = 'node_modules/@discord/embedded-app-sdk/output'

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

export interface RemoteGame {
  /** URL to pass to `emulator.activity.serve`. */
  url: string
  /**
   * Evaluates an async expression in the frame of the player, after its script has run. A rejected promise resolves with
   * `{ rejected: { code, message } }`.
   */
  run: <T = unknown>(expression: string, player?: string) => Promise<T>
  close: () => Promise<void>
}

export interface RemoteGameOptions {
  /** Module script; must set `window.player` to the name for `run`. */
  script: string
  headers?: Record<string, string>
}

/** Appended to the script: fetches expressions and posts their results. */
const loop = `
const refusal = (error) => ({ rejected: { code: error?.code, message: String(error?.message ?? error) } })
for (;;) {
  const answer = await fetch('next?player=' + window.player).catch(() => undefined)
  if (!answer?.ok) break
  const { id, code } = await answer.json()
  Promise.resolve().then(() => (0, eval)(code)).catch(refusal).then((value) =>
    fetch('result?id=' + id, { method: 'POST', body: JSON.stringify({ value: value ?? null }) }))
}
`

export async function serveRemoteGame({ script, headers = {} }: RemoteGameOptions): Promise<RemoteGame> {
  const queues = new Map<string, { id: number; code: string }[]>()
  const pollers = new Map<string, ServerResponse>()
  const waiting = new Map<number, Waiting>()
  let last = 0
  const flush = (player: string) => {
    const [next] = queues.get(player) ?? []
    const poller = pollers.get(player)
    if (next === undefined || poller === undefined) return
    queues.get(player)?.shift()
    pollers.delete(player)
    poller.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(next))
  }
  const finish = async (request: IncomingMessage, response: ServerResponse, id: number) => {
    const text = await bodyOf(request)
    waiting.get(id)?.resolve((JSON.parse(text) as { value: unknown }).value)
    response.writeHead(204).end()
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': type, ...headers }).end(body)
    if (pathname.endsWith('/next')) {
      const player = searchParams.get('player') ?? ''
      pollers.set(player, response)
      flush(player)
    } else if (pathname.endsWith('/result')) void finish(request, response, Number(searchParams.get('id')))
    else if (pathname.startsWith('/sdk/'))
      sendFile(response, SDK + posix.normalize(pathname.slice('/sdk'.length)))
    else if (pathname === '/foyer.js') sendFile(response, 'dist/umd/index.umd.js')
    else if (pathname === '/game.js') send('text/javascript', script + loop)
    else if (pathname === '/')
      send(
        'text/html',
        '<!doctype html><title>Game</title><h1>Game</h1><script type="module" src="game.js"></script>',
      )
    else response.writeHead(404).end()
  })
  const { port, close } = await listen(server)
  return {
    url: `http://localhost:${port}/`,
    run: <T>(code: string, player = 'ada') =>
      new Promise<T>((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve: (value) => resolve(value as T), reject })
        queues.set(player, [...(queues.get(player) ?? []), { id, code }])
        flush(player)
      }),
    close: async () => {
      for (const poller of pollers.values()) poller.destroy()
      await close()
    },
  }
}

function sendFile(response: ServerResponse, path: string): void {
  readFile(path).then(
    (body) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(body),
    () => response.writeHead(404).end(),
  )
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
