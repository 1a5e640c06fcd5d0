/** Stands in for `foyer-sdk/vite` in a page, where there is no Node. */
import { refuseInPage } from '../../shared/foundation/refuse-in-page'

/** @throws ConfigurationError `unsupported`. */
export const foyer = refuseInPage(
  'foyer-sdk/vite',
  "It is a plugin for vite.config.js. A page imports { Client } from 'foyer-sdk'",
)
