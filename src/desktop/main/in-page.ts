/** Stands in for `foyer-sdk/electron/main` in a page, where there is no Electron. */
import { refuseInPage } from '../../shared/foundation/refuse-in-page'

const REMEDY =
  "It is for the main process of Electron. In a window, import { connectMainClient } from 'foyer-sdk'. In any other page, import { Client }"

const refuse = (): never => refuseInPage('foyer-sdk/electron/main', REMEDY)

export { refuse as createMainClient, refuse as installDeepLinks }

// Shared exports, which work in a page too.
export { AuthorizationArgs, IntegrationType } from '../../shared/authorization/authorization-args'
export { AuthorizationResult } from '../../shared/authorization/authorization-result'
export * from '../../shared/foundation/errors'
export { Secret } from '../../shared/foundation/secret'
