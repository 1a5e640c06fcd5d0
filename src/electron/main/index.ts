/** Entry `foyer-sdk/electron/main`: the client for the main process of an Electron app. @module foyer-sdk/electron/main */
export { createMainClient } from './create-main-client'
export { installDeepLinks } from './deep-links'
export type { DeepLinks } from './deep-links'
export type { MainClient } from './main-client'
export type { MainClientOptions } from './options'
export type { CallbackMethod } from './system-browser'
export type { WindowRule } from './windows'

// Shared exports for use in the main process.
export { AuthorizationArgs, IntegrationType } from '../../authorization/args'
export { AuthorizationResult } from '../../authorization/result'
export * from '../../foundation/errors'
export { Secret } from '../../foundation/secret'
