/** Refuses requests that another site's page caused (CSRF): by `Origin`, and by `Sec-Fetch-Site` where there is none. Pure. */
import { ConfigurationError } from '../../shared/foundation/errors'

const REMEDY =
  "List the origins of the game's pages, for example ['https://game.example']; http: is accepted on this machine only"
const LOOPBACK = /^http:\/\/(localhost|\[::1]|127(\.\d{1,3}){3})(:\d+)?$/

/** @throws ConfigurationError `invalid_argument`. */
export function requireOrigins(given: unknown): readonly string[] {
  const origins: readonly unknown[] = Array.isArray(given) ? given : []
  const valid = origins.filter((each): each is string => typeof each === 'string' && isOrigin(each))
  if (valid.length === 0 || valid.length !== origins.length)
    throw new ConfigurationError('invalid_argument', 'origins', { remedy: REMEDY })
  return valid
}

function isOrigin(text: string): boolean {
  return (
    URL.canParse(text) && new URL(text).origin === text && (text.startsWith('https:') || LOOPBACK.test(text))
  )
}

/** Development over plain http on this machine. */
export const isLocal = (origins: readonly string[]): boolean =>
  origins.every((origin) => LOOPBACK.test(origin))

/** True for a request of one of the game's pages. A browser sends `Origin` with every POST. */
export function isFromGame({ headers, method }: Request, origins: readonly string[]): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return origins.includes(origin)
  // A GET of the page itself has no Origin.
  return method === 'GET' && [null, 'same-origin', 'none'].includes(headers.get('sec-fetch-site'))
}
