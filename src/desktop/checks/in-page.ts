/** Stands in for `foyer-sdk/electron/checks` in a page, where there is no Electron. */
import { refuseInPage } from '../../shared/foundation/refuse-in-page'

const REMEDY = 'It is for the main process of Electron: call it there, and send its reports to the window'

/** @throws ConfigurationError `unsupported`. */
export const createSetupChecks = (): never => refuseInPage('foyer-sdk/electron/checks', REMEDY)
