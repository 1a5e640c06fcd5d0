/** Entry `foyer-sdk/electron/main`: the client for the main process of an Electron app. @module foyer-sdk/electron/main */
export { createMainClient } from './create-main-client'
export { installDeepLinks } from './install-deep-links'
export type { DeepLinkOptions, DeepLinks } from './install-deep-links'
export type { MainClient } from './main-client'
export type { MainClientOptions } from './main-client-options'
export type { CallbackMethod } from './system-browser'
export type { WindowRule } from './admission'

// Shared exports for use in the main process.
export { AuthorizationArgs, IntegrationType } from '../../shared/authorization/authorization-args'
export { AuthorizationResult } from '../../shared/authorization/authorization-result'
export * from '../../shared/foundation/errors'
export { Secret } from '../../shared/foundation/secret'
