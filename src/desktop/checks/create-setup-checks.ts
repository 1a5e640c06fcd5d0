/** Checks of an Electron game's setup: storage, loopback interface, custom scheme, and the interface to windows. */
import { app } from 'electron'
import { requireRules } from '../main/admission'
import { linkCommand } from '../main/install-deep-links'
import type { MainClientOptions } from '../main/main-client-options'
import { describeIpc, type IpcReport } from './describe-ipc'
import { type LoopbackReport, testLoopback } from './test-loopback'
import { type StorageReport, testStorage } from './test-storage'

/** Result of `createSetupChecks`. */
export interface SetupChecks {
  /** Describes the token store, and writes, reads and deletes a record in a file of its own. Never rejects. */
  testStorage(): Promise<StorageReport>
  /** Starts the loopback server of a sign-in, sends it a wrong and a right `state`, and closes it. Never rejects. */
  testLoopback(): Promise<LoopbackReport>
  /** Describes the registration of the custom scheme. Undefined without the option `scheme`. */
  describeScheme(): SchemeReport | undefined
  /** Lists what the main process offers to windows. */
  describeIpc(): IpcReport
}

/** Registration of the custom scheme. */
export interface SchemeReport {
  /** The scheme, without a colon. */
  scheme: string
  /** The value that a sign-in uses: `registered` of the option `scheme`. */
  registered: boolean
  /** Response of the system now: true if it opens such links with this app. */
  isDefault: boolean
  /** Command that the app registers, without the link. Linux and macOS use the desktop entry or `Info.plist` of the package instead. */
  command: readonly string[]
}

/**
 * Creates checks for a developer's screen: what sign-in and storage need of this machine, and what windows may call. Pass the options of
 * `createMainClient`. The checks use no token, and open neither a window nor a browser.
 *
 * @throws ConfigurationError `invalid_argument` for invalid `windows`.
 * @example
 * ```ts
 * const options = { applicationId: '1234567890123456789', service: { host: 'https://service.example' } }
 * createMainClient(options)
 * const { kind, checks } = await createSetupChecks(options).testStorage()
 * ```
 */
export function createSetupChecks(options: MainClientOptions): SetupChecks {
  const { scheme } = options
  const rules = requireRules(options.windows ?? [])
  return {
    testStorage: () => testStorage(options),
    testLoopback,
    describeScheme: () =>
      scheme && { scheme: scheme.scheme, registered: scheme.registered, ...readRegistration(scheme.scheme) },
    describeIpc: () => describeIpc(rules),
  }
}

function readRegistration(scheme: string): Pick<SchemeReport, 'isDefault' | 'command'> {
  const [path, args] = linkCommand()
  return { isDefault: app.isDefaultProtocolClient(scheme, path, args), command: [path, ...args] }
}
