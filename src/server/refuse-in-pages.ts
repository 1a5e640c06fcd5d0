/** Prevents the use of application credentials in pages, where every player could read them. */
import { ConfigurationError } from '../foundation/errors'

/** Globals that identify a page or a worker of a page. */
interface Platform {
  document?: unknown
  navigator?: { userAgent?: unknown }
  process?: { type?: unknown; versions?: { node?: unknown } }
}

/** @throws ConfigurationError `unsupported` in a page, in a worker of a page and in an Electron window. */
export function requireBackend(): void {
  if (isPage(globalThis)) {
    throw new ConfigurationError('unsupported', 'foyer-sdk/server in a page', {
      remedy: 'Every player can read a bot token or client secret in a page: call this from your backend, and use Client in the page',
    })
  }
}

/** Only browsers have a Mozilla user agent. Tests simulate a page in Node; an Electron window may have Node and is a page. */
function isPage({ document, navigator, process }: Platform): boolean {
  const isNode = process?.versions?.node !== undefined && process.type !== 'renderer' && process.type !== 'worker'
  return !isNode && (document !== undefined || String(navigator?.userAgent).startsWith('Mozilla/'))
}
