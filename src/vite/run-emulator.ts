/** Service of `vite dev`: an emulator that runs already, or one that is started here. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { UserConfig } from 'vite'
import type { ServiceVariables } from './define-and-check-service-variables'

/** Settings of the emulator that the plugin starts; see docs/emulator.md. */
export interface EmulatorSettings {
  /** Port on 127.0.0.1. Default: 4320, or any free one while it is in use. */
  port?: number
  /** Application, players and guilds, or the path of a JSON file with them. The callback page of the dev server is added. */
  seed?: Record<string, unknown> | string
  /** SQLite file that keeps sign-ins over restarts. Default: in memory. */
  state?: string
  /** Rate limits. Default: `production`. */
  limits?: 'production' | 'development' | 'off'
  /** URL of the backend's interactions endpoint. */
  interactionsUrl?: string
  /** URL of the game in an Activity, for the emulator's host page. */
  activityUrl?: string
}

/** Members of a running emulator that the plugin uses. */
export interface RunningEmulator {
  readonly url: string
  readonly application: { readonly id: string }
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly requests: readonly { method: string; path: string; status: number; rule?: string }[]
  limits(): { limits: Readonly<Record<string, { limit: number; uses: { key: string; used: number }[] } | null>> }
  faults(rules: object | readonly object[]): unknown
  tokens(request: { user: string; action: 'expire' | 'revoke' }): void
  close(): Promise<void>
}

export interface DevelopmentService extends ServiceVariables {
  /** Present if the plugin has started it. */
  readonly emulator?: RunningEmulator
  /** Port that was meant for the emulator, if another program has it. */
  readonly busyPort?: number | undefined
  close(): Promise<void>
}

const DEFAULT_PORT = 4320

/** Resolves with undefined if the game names its service itself. */
export async function openService(
  { emulator: settings = {} }: { emulator?: EmulatorSettings | false },
  config: UserConfig,
): Promise<DevelopmentService | undefined> {
  if (settings === false) return undefined
  const { FOYER_URL: host, FOYER_APPLICATION_ID: applicationId } = process.env
  if (host && applicationId) return { host, applicationId, close: async () => undefined }
  const { emulator, busyPort } = await start(settings, config)
  return { host: emulator.url, applicationId: emulator.application.id, emulator, busyPort, close: () => emulator.close() }
}

type Started = Pick<DevelopmentService, 'busyPort'> & { emulator: RunningEmulator }

async function start({ port = DEFAULT_PORT, ...settings }: EmulatorSettings, config: UserConfig): Promise<Started> {
  const create = await loadEmulator(resolve(config.root ?? '.'))
  const seed = withCallbacks(readSeed(settings.seed), callbackPages(config))
  try {
    return { emulator: await create({ ...settings, seed, port }) }
  } catch (error) {
    // Another project's emulator has the port, or the one of a server that Vite is about to replace.
    if (!(error instanceof Error) || !/EADDRINUSE|in use|port_in_use/.test(`${error.message} ${String(Reflect.get(error, 'code'))}`))
      throw error
    return { emulator: await create({ ...settings, seed, port: 0 }), busyPort: port }
  }
}

async function loadEmulator(root: string): Promise<(options: object) => Promise<RunningEmulator>> {
  const found = createRequire(join(root, 'package.json'))
  try {
    const { createEmulator } = await import(pathToFileURL(found.resolve('foyer-emulator')).href)
    return createEmulator
  } catch (error) {
    throw new Error('foyer: install the emulator with `npm install --save-dev foyer-emulator`, or set `foyer({ emulator: false })`', {
      cause: error,
    })
  }
}

type Seed = Record<string, unknown>

function readSeed(seed: Seed | string = {}): Seed {
  return typeof seed === 'string' ? JSON.parse(readFileSync(seed, 'utf8')) : seed
}

function withCallbacks(seed: Seed, pages: readonly string[]): Seed {
  const application = { ...Object(seed['application']) }
  const redirectUris = [...(application.redirectUris ?? []), ...pages]
  return { ...seed, application: { ...application, redirectUris } }
}

/** Host name for HTTPS: services accept loopback hosts with http only, and browsers resolve every name under `localhost` to this machine. */
export const HTTPS_HOST = 'game.localhost'

/** Returns the callback pages of the dev server: with http any port is accepted on loopback, with https the next ones that Vite may take. */
function callbackPages({ base = '/', server }: Pick<UserConfig, 'base' | 'server'>): string[] {
  const { pathname } = new URL(base, 'http://localhost/')
  const path = `${pathname.replace(/\/$/, '')}/callback.html`
  if (!server?.https) return ['localhost', '127.0.0.1'].map((host) => `http://${host}${path}`)
  const first = server.port ?? 5173
  return Array.from({ length: 10 }, (_, index) => `https://${HTTPS_HOST}:${first + index}${path}`)
}
