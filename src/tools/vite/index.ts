/** Entry `foyer-sdk/vite`: a plugin for Vite 6, 7 and 8. @module foyer-sdk/vite */
import type { Plugin, ResolvedConfig } from 'vite'
import { callbackFiles } from './callback-files'
import { developerPanel } from './developer-panel'
import { joinPage } from './join-page'
import { preloadResume } from './preload-resume'
import {
  type EmulatorSettings,
  type DevelopmentService,
  HTTPS_HOST,
  openService,
  projectRoot,
} from './run-emulator'
import { refuseBackendCode } from './refuse-backend-code'
import { warnIfSilent } from './warn-if-silent'
import { warnLobbyStream } from './warn-lobby-stream'
import { leaveEmulator, useEmulator } from './share-emulator'
import { defineService, warnAboutService } from './define-service'

export type { ActivityMapping, EmulatorSettings } from './run-emulator'

/** Options of `foyer(…)`. */
export interface FoyerPluginOptions {
  /**
   * Emulator of `vite dev`. Default: the one in `FOYER_HOST` and `FOYER_APPLICATION_ID`, as `foyer-emulator exec` and an env file set them;
   * otherwise one is started, with these settings. False: none, and the variables come from `.env` files.
   */
  emulator?: EmulatorSettings | false | undefined
  /** Shows the developer panel in the page during `vite dev`. Default: true if the plugin has started the emulator. */
  panel?: boolean | undefined
  /** Name of the service in the join address `/_<brand>/join`, as the client's `service.brand`. Default: `service`. */
  brand?: string | undefined
}

const OPTIONS: Record<keyof FoyerPluginOptions, true> = { emulator: true, panel: true, brand: true }
const OF_EMULATOR: Record<keyof EmulatorSettings, true> = {
  port: true,
  seed: true,
  state: true,
  limits: true,
  interactionsUrl: true,
  activityUrl: true,
  activityMappings: true,
}

/**
 * Prepares a game for sign-in. `vite dev` serves the callback page, starts the emulator, sets `import.meta.env.VITE_FOYER_HOST` and
 * `VITE_FOYER_APPLICATION_ID` to its values, and shows a developer panel. `vite build` adds the callback page to the output, and preloads
 * the code of `resume()` if the game uses a token store; the two variables then come from `.env` files or the environment, and a missing
 * or local service is a warning, as is a `lobbyStream` on this machine. A page that holds the code of `foyer-sdk/server` is not built.
 *
 * @throws Error for an unknown option, if it is in the list without a call, and during `vite dev` if the package `foyer-emulator` is not installed and no emulator is named.
 * @example
 * ```ts
 * import { foyer } from 'foyer-sdk/vite'
 * import { defineConfig } from 'vite'
 *
 * export default defineConfig({ plugins: [foyer()] })
 * ```
 */
export function foyer(options: FoyerPluginOptions = {}): Plugin[] {
  requirePluginOptions(options, Object.keys(OPTIONS))
  let service: DevelopmentService | undefined
  let root = ''
  const development: Plugin = {
    name: 'foyer:service',
    apply: (_, { command, isPreview }) => command === 'serve' && isPreview !== true,
    async config(config) {
      root = projectRoot(config)
      service = await openService(options, config)
      return service && { define: defineService(service) }
    },
    configureServer(server) {
      if (service?.emulator) useEmulator(root, development)
      server.httpServer?.once('listening', () => {
        if (service) server.config.logger.info(describeService(service))
        if (service?.emulator) tellUnused(server.config, service.host)
        if (service && !service.emulator) void warnIfSilent(service, server.config.logger)
        if (service && server.config.server.https)
          server.config.logger.info(`  Sign-in needs the host ${HTTPS_HOST}, not localhost`)
      })
    },
    // At a restart, Vite closes the old server after it has configured the new one.
    closeBundle: () => leaveEmulator(root, development),
  }
  const panel = developerPanel(() => (options.panel === false ? undefined : service?.emulator))
  return [
    development,
    callbackFiles(),
    joinPage(options.brand ?? 'service'),
    preloadResume(),
    panel,
    warnAboutService(),
    warnLobbyStream(),
    refuseBackendCode(),
  ]
}

/** Vite takes a function in its list for a plugin, and asks it for its configuration. @internal */
foyer.config = (): never => {
  throw new Error('foyer is a function: write plugins: [foyer()]')
}

/** Lines that `vite dev` prints. */
function describeService({ host, busyPort, emulator }: DevelopmentService): string {
  const shares = `, since another program has port ${busyPort}. If that is an emulator to share, set FOYER_HOST and FOYER_APPLICATION_ID to its values`
  const line = `  Foyer emulator: ${host}${busyPort === undefined ? '' : shares}`
  const hostPage = emulator?.activity.url
  return hostPage === undefined ? line : `${line}\n  Activity: ${hostPage}`
}

/** An address in a `.env` file is for builds only, and nothing else says so. */
function tellUnused({ env, logger }: ResolvedConfig, host: string): void {
  const named: unknown = env['VITE_FOYER_HOST']
  if (typeof named === 'string' && named !== '' && named !== host)
    logger.info(
      '  VITE_FOYER_HOST of the .env files is for builds: foyer({ emulator: false }) uses it here too',
    )
}

/** A configuration in JavaScript has no compiler that would check it. @throws Error for a name that is no option, with the names that are. */
function requirePluginOptions(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const meant = Object.hasOwn(OF_EMULATOR, name)
      ? `write foyer({ emulator: { ${name} } })`
      : `the options are ${names.join(', ')}, and those of emulator ${Object.keys(OF_EMULATOR).join(', ')}`
    throw new Error(`foyer: there is no option ${name}: ${meant}`)
  }
}
