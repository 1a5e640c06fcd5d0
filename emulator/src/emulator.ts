/** Starts an emulator: opens its state, loads the authorization server, listens, and hands out the controls. */
import { createServer, type Server } from 'node:http'
import { Clock } from './clock.js'
import { turnKnobs, type CommandKnobs } from './commands/knobs.js'
import { Registry } from './commands/registry.js'
import { EmulatorError } from './error.js'
import { Events, type ServiceEvent } from './events.js'
import { RequestLog, type LoggedRequest } from './http/request-log.js'
import { createListener } from './http/server.js'
import { loadLibrary } from './oauth/library.js'
import { avatarUrl } from './oauth/claims.js'
import { createProvider } from './oauth/provider.js'
import { press, type Choice } from './press/press.js'
import { createCredentials, type Credentials } from './secrets.js'
import { loadSeed } from './seed/load.js'
import type { SeedInput } from './seed/seed.js'
import { openState, type State } from './state/state.js'
import type { Service } from './service.js'

export interface EmulatorOptions {
  /** 0, the default, takes any free port. */
  port?: number
  /** What to begin with, or the path of a JSON file that says it. */
  seed?: SeedInput | string
  /** SQLite file that survives a kill; without it everything is in memory. */
  state?: string
  /** How strict commands are, and how slowly changes of global ones get around. */
  commands?: Partial<CommandKnobs>
  /** Extra headers on the authorize and consent pages, for example `Cross-Origin-Opener-Policy`. */
  pageHeaders?: Record<string, string>
}

export interface EmulatorApplication {
  id: string
  name: string
  redirectUris: string[]
  clientSecret: string
  botToken: string
  /** Ed25519, 64 hexadecimal digits. */
  publicKey: string
}

export interface EmulatorUser {
  id: string
  username: string
  globalName: string | null
  /** URL of an SVG. */
  avatar: string
}

export interface Emulator {
  readonly url: string
  readonly application: EmulatorApplication
  readonly users: EmulatorUser[]
  readonly controlToken: string
  /** The last 1000 requests, oldest first. */
  readonly requests: LoggedRequest[]
  /** Presses the consent page's button; resolves with the callback URL, which nobody has followed yet. */
  authorize(url: string, choice: Choice): Promise<{ redirect: string }>
  /** Forgets sessions, grants, tokens, installations, commands and logged requests; application and credentials stay. */
  reset(): void
  /** Moves the clock of commands forward, by milliseconds: creates of the day, global changes on their way. */
  advance(ms: number): void
  /** Hears what happens, under the service's names for it; returns the undo. */
  subscribe(listener: (event: ServiceEvent) => void): () => void
  close(): Promise<void>
}

export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const seed = loadSeed(options.seed)
  const knobs = turnKnobs(options.commands)
  const state = openState(options.state)
  const server = createServer()
  try {
    const [credentials, library] = await Promise.all([ensureCredentials(state), loadLibrary()])
    const port = await listen(server, options.port ?? 0)
    const service: Service = {
      url: `http://127.0.0.1:${port}`,
      port,
      seed,
      credentials,
      state,
      clock: new Clock(),
      events: new Events(),
      knobs,
    }
    new Registry(service).enableActivities()
    const log = new RequestLog()
    const emulator = handle(service, log, server)
    const opening = createProvider(service, library).then((provider) =>
      createListener(service, { provider, log, controls: emulator, pageHeaders: options.pageHeaders ?? {} }),
    )
    // Who knocks before the doors are open waits, instead of being forgotten.
    server.on('request', (request, response) => {
      opening.then((listener) => listener(request, response)).catch(() => response.destroy())
    })
    await opening
    return emulator
  } catch (error) {
    server.close()
    state.close()
    throw error
  }
}

async function ensureCredentials({ settings }: State): Promise<Credentials> {
  const kept = settings.credentials()
  if (kept !== undefined) return kept
  const credentials = await createCredentials()
  settings.keepCredentials(credentials)
  return credentials
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const busy = error.code === 'EADDRINUSE'
      reject(
        busy
          ? new EmulatorError('port_in_use', `Port ${port} is in use; choose another one with --port, or --port 0 for any.`, {
              cause: error,
            })
          : error,
      )
    })
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function handle(service: Service, log: RequestLog, server: Server): Emulator {
  const { url, seed, credentials, state, clock, events } = service
  const { clientSecret, botToken, publicKey, controlToken } = credentials
  const { id, name, redirectUris } = seed.application
  return {
    url,
    application: { id, name, redirectUris, clientSecret, botToken, publicKey },
    users: seed.players.map((player) => ({
      id: player.id,
      username: player.username,
      globalName: player.globalName,
      avatar: avatarUrl(player, url),
    })),
    controlToken,
    get requests() {
      return log.list()
    },
    authorize: async (target, choice) => ({ redirect: await press(target, choice, { origin: url, players: seed.players }) }),
    reset: () => {
      state.clear()
      log.clear()
      new Registry(service).enableActivities()
    },
    advance: (ms) => clock.advance(ms),
    subscribe: (listener) => events.subscribe(listener),
    close: () => shutDown(server, state),
  }
}

async function shutDown(server: Server, state: State): Promise<void> {
  if (!server.listening) return
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  state.close()
}
