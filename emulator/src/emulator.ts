/** Starts an emulator: opens its state, loads the authorization server, listens, and hands out the controls. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createHostListener } from './activity/host-routes.js'
import { Stage } from './activity/stage.js'
import { turnKnobs, type CommandKnobs } from './commands/knobs.js'
import { Changes } from './chat/changes.js'
import { Registry } from './commands/registry.js'
import { EmulatorError } from './error.js'
import type { Provider } from 'oidc-provider'
import { Faults } from './faults/faults.js'
import { Events } from './events.js'
import { RequestLog } from './http/request-log.js'
import { createHandle } from './create-handle.js'
import type { Emulator } from './handle.js'
import { createListener } from './http/server.js'
import { Desk } from './interactions/desk.js'
import { loadLibrary } from './oauth/library.js'
import { Limits } from './limits/limits.js'
import type { LimitsInput } from './limits/settings.js'
import { IdleWatch } from './lobbies/idle-watch.js'
import { turnLobbyKnobs, type LobbyKnobs } from './lobbies/knobs.js'
import { createProvider } from './oauth/provider.js'
import { Partner } from './partner/partner.js'
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
  /** What is limited, and how: the figures of the interface unless it says otherwise. */
  limits?: LimitsInput
  /** How lobbies are measured and how long their secrets live. */
  lobbies?: Partial<LobbyKnobs>
  /** A refresh ends the old access token too, not only the old refresh token. */
  strictRefresh?: boolean
  /** Where the backend takes interactions; asked and probed before the first one. */
  interactionsUrl?: string
  /** Where the game is that the Activity's host page frames. */
  activityUrl?: string
  /** The port of the host page on localhost, 3333 unless given; any other one is taken while it is busy. */
  activityPort?: number
  /** Extra headers on the authorize and consent pages, for example `Cross-Origin-Opener-Policy`. */
  pageHeaders?: Record<string, string>
}

export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const seed = loadSeed(options.seed)
  const knobs = { knobs: turnKnobs(options.commands), lobbyKnobs: turnLobbyKnobs(options.lobbies) }
  const state = openState(options.state)
  const server = createServer()
  try {
    const limits = new Limits(state.clock, options.limits)
    const [credentials, library] = await Promise.all([ensureCredentials(state), loadLibrary()])
    const port = await listen(server, options.port ?? 0)
    const service = createService({ port, seed, credentials, state, ...knobs }, options)
    const partner = new Partner(service)
    const machine = { log: new RequestLog(), faults: new Faults(), limits, server, idleWatch: new IdleWatch(service) }
    const authorization = createProvider(service, library, partner)
    const { stage, desk, changes } = createRooms(service, authorization, options)
    const emulator = createHandle(service, { ...machine, stage, desk })
    const rooms = { ...machine, partner, stage, desk, changes, controls: emulator, pageHeaders: options.pageHeaders ?? {} }
    const opening = authorization.then((provider) => createListener(service, { ...rooms, provider }))
    openDoors(server, opening)
    await opening
    machine.idleWatch.look()
    if (options.activityUrl !== undefined) await stage.serve(options.activityUrl)
    return emulator
  } catch (error) {
    server.close()
    state.close()
    throw error
  }
}

/** Who knocks before the doors are open waits, instead of being forgotten. */
function openDoors(server: Server, opening: Promise<RequestListener>): void {
  server.on('request', (request, response) => {
    opening.then((listener) => listener(request, response)).catch(() => response.destroy())
  })
}

/** Where players use commands and play. */
function createRooms(service: Service, provider: Promise<Provider>, { activityPort = 3333, interactionsUrl }: EmulatorOptions) {
  const changes = new Changes()
  service.events.subscribe(() => changes.tell())
  const stage = new Stage(service, { port: activityPort, provider, listener: (own) => createHostListener(own, service) })
  const desk = new Desk(service, { stage, url: interactionsUrl, changed: () => changes.tell() })
  return { stage, desk, changes }
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

function createService(
  parts: Pick<Service, 'port' | 'seed' | 'credentials' | 'state' | 'knobs' | 'lobbyKnobs'>,
  options: EmulatorOptions,
): Service {
  const service: Service = {
    ...parts,
    url: `http://127.0.0.1:${parts.port}`,
    clock: parts.state.clock,
    events: new Events(),
    strictRefresh: options.strictRefresh === true,
  }
  new Registry(service).enableActivities()
  return service
}
