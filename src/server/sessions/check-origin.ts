/** Refuses requests that another site's page caused (CSRF): by `Origin`, and by `Sec-Fetch-Site` where there is none. Pure. */
import { isLoopbackOrigin, isSecure } from '../../shared/foundation/addresses'
import { ConfigurationError } from '../../shared/foundation/errors'

const REMEDY =
  "List the origins of the game's pages, for example ['https://game.example']; http: is accepted on this machine only, and no *"
const SHELL =
  'the page of a shell keeps no cookie of a backend: sign in there as a desktop game does, without backendSession'
/** @throws ConfigurationError `invalid_argument`. */
export function requireOrigins(given: unknown): readonly string[] {
  const origins: readonly unknown[] = Array.isArray(given) ? given : []
  const valid = origins.filter(isOrigin)
  const shell = origins.find(
    (each): each is string =>
      typeof each === 'string' && /^[\w.+-]+:\/\//.test(each) && !/^https?:/i.test(each),
  )
  if (shell !== undefined)
    throw new ConfigurationError('invalid_argument', 'origins', { remedy: `${shell}: ${SHELL}` })
  const meant = typeof given === 'string' ? given : origins.find((each) => !isOrigin(each))
  const origin = originOf(meant)
  if (origin !== undefined)
    throw new ConfigurationError('invalid_argument', 'origins', {
      remedy: `Write ['${origin}'], a list of origins without path and slash`,
    })
  if (valid.length === 0 || valid.length !== origins.length)
    throw new ConfigurationError('invalid_argument', 'origins', { remedy: REMEDY })
  return valid
}

/** The origin of an address, if it may be one of the game. */
function originOf(address: unknown): string | undefined {
  const origin = typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : undefined
  return isOrigin(origin) ? origin : undefined
}

function isOrigin(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    URL.canParse(text) &&
    new URL(text).origin === text &&
    !text.includes('*') &&
    isSecure(new URL(text))
  )
}

/** Plain http on this machine, for development. */
export const isLocal = (origin: string): boolean => origin.startsWith('http:') && isLoopbackOrigin(origin)

/** True unless the browser says that something else than a page was asked for, such as a picture or a call of a script. */
export const mayOpenPage = ({ headers, method }: Request): boolean =>
  method === 'GET' &&
  headers.get('origin') === null &&
  [null, 'navigate'].includes(headers.get('sec-fetch-mode')) &&
  [null, 'document'].includes(headers.get('sec-fetch-dest'))

/** True if the browser says that it opens a page, from wherever the link was: its answer is shown to the player, and never read by another site. */
export const isNavigation = ({ headers, method }: Request): boolean =>
  method === 'GET' &&
  headers.get('origin') === null &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document'

/** True for a request of one of the game's pages. A browser sends `Origin` with every POST. */
export function isFromGame({ headers, method }: Request, origins: readonly string[]): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return origins.includes(origin)
  // A GET of the page itself has no Origin.
  return method === 'GET' && [null, 'same-origin', 'none'].includes(headers.get('sec-fetch-site'))
}
