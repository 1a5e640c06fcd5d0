/** Entry `foyer-sdk/electron/checks`: checks of an Electron game's setup, for a developer's screen. @module foyer-sdk/electron/checks */
export { createSetupChecks } from './create-setup-checks'
export type { SchemeReport, SetupChecks } from './create-setup-checks'
export type { IpcChannel, IpcOrigin, IpcReport } from './describe-ipc'
export type { LoopbackReport } from './test-loopback'
export type { StorageReport } from './test-storage'
export type { Check } from '../../shared/foundation/log-entry'
