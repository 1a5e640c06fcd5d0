/** Prevents the use of application credentials in pages, where every player could read them. */
import { ConfigurationError } from '../shared/foundation/errors'
import { isPage } from '../shared/foundation/platform'

/** @throws ConfigurationError `unsupported` in a page, in a worker of a page and in an Electron window. */
export function requireBackend(): void {
  if (isPage()) {
    throw new ConfigurationError('unsupported', 'foyer-sdk/server in a page', {
      remedy:
        'Every player can read a bot token or client secret in a page: call this from your backend, and use Client in the page',
    })
  }
}
