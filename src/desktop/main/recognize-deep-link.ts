/** Recognizes deep links of a sign-in and valid schemes. Pure. */
import { readSecret } from '../../client/lobbies/invitation'
import { ConfigurationError } from '../../shared/foundation/errors'

/** URI scheme in lower case (RFC 3986 section 3.1), except schemes that browsers and operating systems handle themselves. */
const SCHEME =
  /^(?!(about|blob|chrome|data|devtools|file|ftp|https?|javascript|mailto|ms-.*|tel|vbscript|view-source|wss?)$)[a-z][a-z\d+.-]{1,63}$/
/** Maximum length of a callback. */
const MAX_LENGTH = 8192

/** @throws ConfigurationError `invalid_argument` for invalid or reserved schemes. */
export function requireScheme(scheme: unknown): string {
  if (typeof scheme === 'string' && SCHEME.test(scheme)) return scheme
  throw new ConfigurationError('invalid_argument', 'scheme')
}

/**
 * Returns true for `<scheme>:/authorize/callback` with a query. Also accepts `<scheme>:///`, but no other authority (RFC 8252 section 7.1).
 */
export function isCallbackLink(text: unknown, scheme: string): text is string {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return false
  return [':/', ':///'].some((slashes) => text.startsWith(`${scheme}${slashes}authorize/callback?`))
}

/** Returns true for `<scheme>:/_<brand>/join` with a query, the address of an invitation. Any program and page can open one. */
export function isInvitationLink(text: unknown, scheme: string): text is string {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return false
  return (
    [':/', ':///'].some((slashes) => text.startsWith(`${scheme}${slashes}_`)) &&
    /^[^?#]*\/_[^/?#]+\/join\/?\?/.test(text)
  )
}

/** Returns the secret of an invitation of this brand; undefined for another one, and for a secret that no link may bring. */
export function readInvitationLink(link: string, brand: string): string | undefined {
  const [address = '', query = ''] = link.replace(/#.*/s, '').split('?')
  const secrets = query.split('&').filter((text) => text.startsWith('secret='))
  if (!/\/join\/?$/.test(address) || !address.includes(`/_${brand}/join`) || secrets.length !== 1)
    return undefined
  try {
    return readSecret(String(secrets[0]).slice('secret='.length).replaceAll('+', '%20'))
  } catch {
    // Malformed percent encoding.
    return undefined
  }
}

/** A link that the client of the app receives. */
export const isOwnLink = (text: unknown, scheme: string): text is string =>
  isCallbackLink(text, scheme) || isInvitationLink(text, scheme)

/** Finds the deep link in the arguments of a process, at any position. */
export function findLink(argv: readonly unknown[], scheme: string): string | undefined {
  return argv.find((argument): argument is string => isOwnLink(argument, scheme))
}
