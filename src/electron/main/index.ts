/** `foyer-sdk/electron/main`: the client of an Electron app's main process. A table of contents and nothing else. */
export { createMainClient } from './create-main-client'
export { installDeepLinks } from './deep-links'
export type { DeepLinks } from './deep-links'
export type { MainClient } from './main-client'
export type { MainClientOptions } from './options'
export type { CallbackMethod } from './system-browser'
export type { WindowRule } from './windows'

// What a main process needs of the rest.
export { AuthorizationArgs, IntegrationType } from '../../authorization/args'
export { AuthorizationResult } from '../../authorization/result'
export * from '../../foundation/errors'
export { Secret } from '../../foundation/secret'
