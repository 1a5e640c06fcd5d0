/** Server of a game's page for tests in every engine: the classic script or the unbundled modules, controlled by expressions. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { posix } from 'node:path'
import { createEmulator, type Emulator, type EmulatorOptions } from 'foyer-emulator'
import type { Fetch } from 'foyer-sdk'
import { clientSecret, createSessionHandler, memorySessionStore, toNodeListener } from 'foyer-sdk/server'
import { listen } from '../loopback'
import { closeAfterTest } from './in-every-engine'
import { engineGame } from './engine-game'

export interface EngineGameOptions {
  /** How the page loads the SDK. Default: the classic script. */
  build?: 'classic' | 'modules'
  /** Extra headers of the game's page. */
  headers?: Record<string, string>
  callbackHeaders?: Record<string, string>
  /** Code that the page runs before the SDK loads, for example to remove a feature of the platform. */
  before?: string
  emulator?: EmulatorOptions
  /** The application is confidential, and the game's server its backend: `/session` and `/whoami`. Default: false. */
  hasBackend?: boolean
  /** What the backend gives the page. Default: `short`. */
  tokens?: 'short' | 'none'
  /** Origins of the backend beside that of the page. Default: none. */
  otherOrigins?: readonly string[]
  /** The host redirects each path of the backend to one with a slash at its end. Default: false. */
  hasSlashes?: boolean
  /** Address that the game's server listens at. Default: loopback. */
  host?: string
}

/** A token of the service. */
export interface IssuedToken {
  kind: string
  token: string
}

export interface EngineGame {
  /** On `localhost`, while the emulator is on `127.0.0.1`: two sites, as in production. Query: `?store=`, `?profile=`, `?on=`, the event of the popup's button. */
  url: string
  emulator: Emulator
  /** Requested paths, with their queries. */
  requests: string[]
  /** Answers 404 for files of the SDK from now on, as after a deploy that removed the old ones. */
  removeFiles(): void
  /** Serves them again: to a page that loads now, they are the new files of the deploy. */
  restoreFiles(): void
  /** Tokens that the backend has received. */
  issued: readonly IssuedToken[]
  /** Token requests that the service received. */
  tokenRequests(): readonly { status: number }[]
}

/** Bare names of the packages that the modules import. */
const IMPORTS = {
  imports: {
    jose: '/node_modules/jose/dist/webapi/index.js',
    '@noble/hashes/': '/node_modules/@noble/hashes/',
  },
}
const CLASSIC = '<script src="/dist/umd/index.umd.js"></script><script src="/game.js"></script>'
const MODULES = `<script type="importmap">${JSON.stringify(IMPORTS)}</script><script type="module" src="/game.js"></script>`
const page = (
  scripts: string,
) => `<!doctype html><title>Game</title><link rel="icon" href="data:," /><h1>Game</h1>
<button id="popup">Popup</button><button id="redirect">Redirect</button><button id="cancel">Cancel</button>
<output id="outcome"></output><script src="/before.js"></script>${scripts}`

const TYPES: Record<string, string> = { js: 'text/javascript', html: 'text/html' }

/** Starts an emulator and the game's server; both close when the test ends. */
export async function serveEngineGame(options: EngineGameOptions = {}): Promise<EngineGame> {
  const { build = 'classic', headers = {}, callbackHeaders = {}, before = '' } = options
  const confidential = {
    seed: { application: { publicClient: false, redirectUris: ['http://localhost/session/callback'] } },
  }
  const emulator = await createEmulator({ ...(options.hasBackend && confidential), ...options.emulator })
  const session = options.hasBackend ? { backendSession: '/session' } : {}
  const config = JSON.stringify({ applicationId: emulator.application.id, host: emulator.url, ...session })
  const start = `(${String(engineGame)})(${config})`
  const made: Record<string, string> = {
    '/': page(build === 'classic' ? CLASSIC : MODULES),
    '/before.js': before,
    '/signed-in.html':
      "<!doctype html><title>Signed in</title><script>new BroadcastChannel('signed-in').postMessage('')</script>",
    '/game.js':
      build === 'classic'
        ? start
        : `import * as Foyer from '/dist/index.js'\nwindow.Foyer = Foyer;\n${start}`,
  }
  made['/worker.js'] = `importScripts('/dist/umd/index.umd.js')
const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
postMessage(client.status + ' ' + typeof window)`
  const extra: Record<string, Record<string, string>> = { '/': headers, '/callback.html': callbackHeaders }
  const requests: string[] = []
  let isRemoved = false
  let backend: ReturnType<typeof toNodeListener> | undefined
  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    requests.push(pathname + search)
    const send = (body: string | Buffer, path = pathname) => {
      const type = TYPES[posix.extname(path).slice(1)] ?? 'text/html'
      response.writeHead(200, { 'content-type': type, ...extra[pathname] }).end(body)
    }
    // A host rewrites the join address to the game's page.
    const own = made[pathname === '/_service/join' ? '/' : pathname]
    if (own !== undefined) send(own)
    else if (backend && /^\/(session\/|whoami)/.test(pathname)) void backend(request, response)
    else if (pathname === '/consent')
      void emulator
        .authorize(searchParams.get('url') ?? '', { as: searchParams.get('as') ?? '' })
        .then(({ redirect }) => send(redirect))
    else if (isRemoved && pathname.startsWith('/dist/')) response.writeHead(404).end()
    else
      readFile(fileOf(pathname)).then(send, () => {
        response.writeHead(404).end()
      })
  })
  const { port, close } = await listen(server, options.host)
  closeAfterTest({ close })
  const issued: IssuedToken[] = []
  const origin = `http://localhost:${port}`
  if (options.hasBackend)
    backend = toNodeListener(
      options.hasSlashes ? redirectToSlash : createBackend(emulator, { ...options, origin, issued }),
    )
  closeAfterTest(emulator)
  return {
    url: `http://localhost:${port}/`,
    emulator,
    requests,
    issued,
    removeFiles: () => void (isRemoved = true),
    restoreFiles: () => void (isRemoved = false),
    tokenRequests: () =>
      emulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/oauth2/token')),
  }
}

const redirectToSlash = ({ url }: Request): Response =>
  new Response(null, { status: 308, headers: { location: `${url}/` } })

/** Sessions, and the player whom a request's token proves. */
function createBackend(
  { application, url, activity }: Emulator,
  {
    origin,
    issued,
    tokens,
    otherOrigins = [],
  }: Pick<EngineGameOptions, 'tokens' | 'otherOrigins'> & { origin: string; issued: IssuedToken[] },
): (request: Request) => Promise<Response> {
  const { id: applicationId, clientSecret: secret } = application
  const origins = [
    origin,
    ...otherOrigins,
    ...(activity.url === undefined ? [] : [new URL(activity.url).origin]),
  ]
  const parts = { applicationId, service: { host: url }, credentials: clientSecret(secret), origins }
  const record: Fetch = async (address, init) => {
    const response = await fetch(address, init)
    if (address.endsWith('/oauth2/token')) issued.push(...tokensIn(await response.clone().json()))
    return response
  }
  const redirectUri = `${origin}/session/callback`
  const session = createSessionHandler({
    ...parts,
    store: memorySessionStore(),
    fetch: record,
    tokens,
    redirectUri,
  })
  return async (request) => {
    if (new URL(request.url).pathname !== '/whoami') return session(request)
    const { id } = await session.verify(request)
    return Response.json({ id })
  }
}

/** The tokens of a token response. */
export function tokensIn(body: unknown): IssuedToken[] {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return fields.flatMap(([kind, token]: [string, unknown]) =>
    kind.endsWith('_token') && typeof token === 'string' ? [{ kind, token }] : [],
  )
}

function fileOf(pathname: string): string {
  const path = posix.normalize(pathname).slice(1)
  return path.startsWith('callback.') ? `dist/callback/${path}` : path
}
