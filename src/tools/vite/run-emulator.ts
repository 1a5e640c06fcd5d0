/** Service of `vite dev`: an emulator that runs already, or one that is started here. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { UserConfig } from 'vite'
import type { ServiceVariables } from './define-service'
import type { RunningEmulator } from './running-emulator'
import { shareEmulator, type SharedSettings } from './share-emulator'

/** URL mapping of an Activity: a path prefix such as `/api`, and the address that it stands for. */
export interface ActivityMapping {
  /** Beginning of the paths that go there, such as `/api`. */
  prefix: string
  /** Such as `http://localhost:8080`. */
  target: string
}

/** Settings of the emulator that the plugin starts; see docs/emulator.md. */
export interface EmulatorSettings {
  /** Port on 127.0.0.1. Default: 4320, or any free one while it is in use. */
  port?: number | undefined
  /** Application, players and guilds, or the path of a JSON file with them. Callback page and start page of the dev server are added. */
  seed?: Record<string, unknown> | string | undefined
  /** SQLite file that keeps sign-ins over restarts. Default: in memory. */
  state?: string | undefined
  /** Rate limits. Default: `production`. */
  limits?: 'production' | 'development' | 'off' | undefined
  /** URL of the backend's interactions endpoint. */
  interactionsUrl?: string | undefined
  /** URL of the game in an Activity, for the emulator's host page. */
  activityUrl?: string | undefined
  /** URL mappings of the Activity. With them, even an empty list, the game is served by the rules of the Activity's proxy. */
  activityMappings?: readonly ActivityMapping[] | undefined
}

export interface DevelopmentService extends ServiceVariables {
  /** Present if the plugin has started it. */
  readonly emulator?: RunningEmulator
  /** Port that was meant for the emulator, if another program has it. */
  readonly busyPort?: number | undefined
}

const DEFAULT_PORT = 4320

/** Resolves with undefined if the game names its service itself. */
export async function openService(
  { emulator: settings = {} }: { emulator?: EmulatorSettings | false | undefined },
  config: UserConfig,
): Promise<DevelopmentService | undefined> {
  if (settings === false) return undefined
  const { FOYER_HOST: host, FOYER_APPLICATION_ID: applicationId, FOYER_URL: former } = process.env
  if (former && !host)
    throw new Error('foyer: FOYER_URL is set, and not read: the address of the service is FOYER_HOST')
  if (host && applicationId) return { host, applicationId }
  if (host)
    throw new Error(
      'foyer: FOYER_HOST is set, and FOYER_APPLICATION_ID is not: set both, or none, and the plugin starts an emulator',
    )
  const { port = DEFAULT_PORT } = settings
  const emulator = await openEmulator({ ...settings, port }, config)
  const busyPort = port === 0 || emulator.url.endsWith(`:${port}`) ? undefined : port
  return { host: emulator.url, applicationId: emulator.application.id, emulator, busyPort }
}

/** Folder of the project: what its dev servers share belongs to it. */
export const projectRoot = (config: Pick<UserConfig, 'root'>): string => resolve(config.root ?? '.')

async function openEmulator(
  settings: EmulatorSettings & { port: number },
  config: UserConfig,
): Promise<RunningEmulator> {
  const root = projectRoot(config)
  const create = await loadEmulator(root)
  const seed = withReturnPages(readSeed(settings.seed), returnPages(config))
  const start = async (wanted: SharedSettings): Promise<RunningEmulator> => {
    try {
      return await create(wanted)
    } catch (error) {
      // Another project's emulator has the port.
      if (!isPortInUse(error)) throw error
      return create({ ...wanted, port: 0 })
    }
  }
  return shareEmulator(root, { ...settings, seed }, start)
}

const isPortInUse = (error: unknown): boolean =>
  error instanceof Error && ['EADDRINUSE', 'port_in_use'].includes(String(Reflect.get(error, 'code')))

async function loadEmulator(root: string): Promise<(options: object) => Promise<RunningEmulator>> {
  const found = createRequire(join(root, 'package.json'))
  try {
    const { createEmulator } = await import(pathToFileURL(found.resolve('foyer-emulator')).href)
    return createEmulator
  } catch (error) {
    throw new Error(
      'foyer: install the emulator with `npm install --save-dev foyer-emulator`, or set `foyer({ emulator: false })`',
      {
        cause: error,
      },
    )
  }
}

/** Editors on Windows begin files with it. */
const BYTE_ORDER_MARK = /^\uFEFF/

type Seed = Record<string, unknown>

function readSeed(seed: Seed | string = {}): Seed {
  if (typeof seed !== 'string') return seed
  try {
    return JSON.parse(readFileSync(seed, 'utf8').replace(BYTE_ORDER_MARK, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`foyer: the seed file ${resolve(seed)} cannot be read: ${reason}`, { cause: error })
  }
}

function withReturnPages(seed: Seed, pages: readonly string[]): Seed {
  const application = { ...Object(seed['application']) }
  const redirectUris = [...(application.redirectUris ?? []), ...pages]
  return { ...seed, application: { ...application, redirectUris } }
}

/** Host name for HTTPS: services accept loopback hosts with http only, and browsers resolve every name under `localhost` to this machine. */
export const HTTPS_HOST = 'game.localhost'

/** Names, in the folder of `base`, of the callback page, and of the start page, to which `redirectSurface()` returns. */
const RETURN_PAGES = ['callback.html', '', 'index.html']

/**
 * Returns the pages of the dev server to which a sign-in returns: with http any port is accepted on loopback, with https the next ones that
 * Vite may take.
 */
function returnPages({ base = '/', server }: Pick<UserConfig, 'base' | 'server'>): string[] {
  const { pathname } = new URL(base, 'http://localhost/')
  const folder = `${pathname.replace(/\/$/, '')}/`
  const first = server?.port ?? 5173
  const secure = Array.from({ length: 10 }, (_, index) => `https://${HTTPS_HOST}:${first + index}`)
  const origins = server?.https ? secure : ['http://localhost', 'http://127.0.0.1']
  return origins.flatMap((origin) => RETURN_PAGES.map((page) => `${origin}${folder}${page}`))
}
