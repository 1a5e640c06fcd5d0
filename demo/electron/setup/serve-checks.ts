/** Runs the checks of the setup in the main process when the demo's page asks for them. */
import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import { createSetupChecks } from 'foyer-sdk/electron/checks'
import type { DeepLinks, MainClient, MainClientOptions } from 'foyer-sdk/electron/main'
import { SETUP_CHANNEL, type SetupCheck, type SetupReports } from './contract'
import { testCallers } from './test-callers'
import { testDeepLink } from './test-deep-link'

export interface SetupContext {
  client: MainClient
  /** The options that the client was created with. */
  options: MainClientOptions & { scheme: DeepLinks }
  /** Origin of the page. */
  origin: string
  /** Path of the preload script. */
  preload: string
}

type Checks = { [Name in SetupCheck]: () => Promise<SetupReports[Name]> }

/** The page chooses one of these checks by its name, and nothing else. */
export function serveSetupChecks(context: SetupContext): void {
  const checks = new Map<unknown, () => Promise<unknown>>(Object.entries(createChecks(context)))
  const running = new Map<unknown, Promise<unknown>>()
  ipcMain.handle(SETUP_CHANNEL, async (event, name: unknown) => {
    if (!isOwnPage(event, context.origin)) return { fault: 'untrusted_window' }
    const check = checks.get(name)
    if (!check) return { fault: 'unknown_check' }
    try {
      // A page cannot start a check twice at the same time.
      const report = running.get(name) ?? check()
      running.set(name, report)
      return { report: await report, platform: process.platform }
    } catch (error) {
      return { fault: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' }
    } finally {
      running.delete(name)
    }
  })
}

/** The top frame only, and only while it shows the demo. */
function isOwnPage({ senderFrame }: IpcMainInvokeEvent, origin: string): boolean {
  return senderFrame !== null && !senderFrame.parent && senderFrame.origin === origin
}

function createChecks({ client, options, ...page }: SetupContext): Checks {
  const checks = createSetupChecks(options)
  const { scheme } = options.scheme
  return {
    storage: () => checks.testStorage(),
    loopback: () => checks.testLoopback(),
    async link() {
      const registration = checks.describeScheme()
      if (!registration) throw new Error('The demo has no scheme.')
      return { ...registration, ...(await testDeepLink({ client, scheme })) }
    },
    async ipc() {
      const { channels, ...report } = checks.describeIpc()
      const own = { name: SETUP_CHANNEL, from: 'page', takes: 'the name of a check on this screen' } as const
      return { ...report, channels: [...channels, own], calls: await testCallers(page) }
    },
  }
}
