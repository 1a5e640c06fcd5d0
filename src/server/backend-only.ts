/** Keeps an application's credentials out of pages: whatever a page holds, every player can read. */
import { ConfigurationError } from '../foundation/errors'

/** What tells a page, and a worker of a page, from everything else that runs JavaScript. */
interface Platform {
  document?: unknown
  navigator?: { userAgent?: unknown }
  process?: { type?: unknown; versions?: { node?: unknown } }
}

/** @throws ConfigurationError `unsupported` in a page, in a worker of a page and in a window of Electron. */
export function requireBackend(): void {
  if (isPage(globalThis)) {
    throw new ConfigurationError('unsupported', 'foyer-sdk/server in a page', {
      remedy: 'A bot token or client secret in a page is known to every player: call this from your backend, and use Client in the page',
    })
  }
}

/** Browsers alone call themselves Mozilla. Tests simulate a page inside Node; a window of Electron may have Node, and is a page. */
function isPage({ document, navigator, process }: Platform): boolean {
  const isNode = process?.versions?.node !== undefined && process.type !== 'renderer' && process.type !== 'worker'
  return !isNode && (document !== undefined || String(navigator?.userAgent).startsWith('Mozilla/'))
}
