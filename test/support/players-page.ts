/** Server of a game's page with several clients at once, or with the one that its query names. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type * as FoyerModule from 'foyer-sdk'
import { listen } from './loopback'

/** Options of each client that differ from the others'. */
export interface PlayerOptions {
  name: string
  profile?: string
  applicationId?: string
  host?: string
}

export interface PlayersPage {
  url: string
  close: () => Promise<void>
}

interface Settings {
  applicationId: string
  host: string
  /** Players of the page. Empty: one client, with the profile in the page's query. */
  players: readonly PlayerOptions[]
}

/** Runs in the page. `resumed` has the outcome of every `resume()`, once all are settled. */
function game({ applicationId, host, players }: Settings): void {
  const page = window as unknown as {
    Foyer: typeof FoyerModule
    resumed?: Record<string, string>
    failed?: string
  }
  const { Client, localStorageStore, redirectSurface } = page.Foyer
  const named = new URLSearchParams(location.search).get('profile') ?? 'default'
  const all = players.length > 0 ? players : [{ name: 'sign-in', profile: named }]
  const resuming = all.map(async ({ name, host: own = host, ...options }) => {
    const client = new Client({
      applicationId,
      service: { host: own },
      tokenStore: localStorageStore(),
      ...options,
    })
    const button = document.createElement('button')
    button.id = name
    button.textContent = name
    button.addEventListener('click', () => {
      client
        .signIn({ surface: redirectSurface() })
        .catch((error: { code: string }) => (page.failed = error.code))
    })
    document.body.append(button)
    const outcome = await client.resume().then(
      (session) => session?.userId ?? 'nobody',
      (error: { code: string }) => error.code,
    )
    return [options.profile === named && players.length === 0 ? named : name, outcome] as const
  })
  void Promise.all(resuming).then((outcomes) => (page.resumed = Object.fromEntries(outcomes)))
}

export async function servePlayers(settings: Settings): Promise<PlayersPage> {
  const html = `<!doctype html><title>Game</title><body><script src="/foyer.js"></script><script>(${String(game)})(${JSON.stringify(settings)})</script>`
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': type }).end(body)
    if (pathname === '/') send('text/html', html)
    else if (pathname === '/foyer.js')
      void readFile('dist/umd/index.umd.js').then((body) => send('text/javascript', body))
    else response.writeHead(404).end()
  })
  const { port, close } = await listen(server)
  return { url: `http://localhost:${port}/`, close }
}
