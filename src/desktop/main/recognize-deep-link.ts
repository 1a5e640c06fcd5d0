/** Recognizes deep links of a sign-in, an invitation and a launch, links that only resemble them, and valid schemes. Pure. */
import { readSecret } from '../../client/lobbies/invitation'
import { ConfigurationError } from '../../shared/foundation/errors'

/** URI scheme in lower case (RFC 3986 section 3.1), except schemes that browsers and operating systems handle themselves. */
const SCHEME =
  /^(?!(about|blob|chrome|data|devtools|file|ftp|https?|javascript|mailto|ms-.*|tel|vbscript|view-source|wss?)$)[a-z][a-z\d+.-]{1,63}$/
const SCHEME_REMEDY =
  "Write it like 'com.example.mygame', in lower case, without :// and none that the system handles"
/** Maximum length of a callback. */
const MAX_LENGTH = 8192

/** @throws ConfigurationError `invalid_argument` for invalid or reserved schemes. */
export function requireScheme(scheme: unknown, name = 'scheme'): string {
  if (typeof scheme === 'string' && SCHEME.test(scheme)) return scheme
  throw new ConfigurationError('invalid_argument', name, { remedy: SCHEME_REMEDY })
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

/** Schemes of an app. */
export interface LinkSchemes {
  scheme: string
  /** Scheme by which the service's program starts the game. It may be the same. */
  launch: string | undefined
}

/** Difference of a link that resembles one of this app. */
export type LinkForm = 'authority' | 'capitals' | 'length' | 'path' | 'quotes'

/** A launch brings nothing: what the player accepted comes from the service's program. */
export type LinkNotice = 'launched' | LinkForm

/** Returns true for a bare `<launch>://`. */
export const isLaunchLink = (text: unknown, launch: string | undefined): text is string =>
  typeof text === 'string' &&
  launch !== undefined &&
  /^:\/{0,3}$/.test(text.slice(launch.length)) &&
  text.startsWith(launch)

/** Finds a launch, or else the form of a link that somebody meant for this app; undefined if no argument is one. */
export function findNotice(argv: readonly unknown[], schemes: LinkSchemes): LinkNotice | undefined {
  if (argv.some((argument) => isLaunchLink(argument, schemes.launch))) return 'launched'
  for (const argument of argv) {
    const form = typeof argument === 'string' ? formOf(argument, schemes) : undefined
    if (form) return form
  }
  return undefined
}

/** Other links of `scheme` are the game's own. Every link of `launch` is the service's. */
function formOf(argument: string, { scheme, launch }: LinkSchemes): LinkForm | undefined {
  const text = argument.slice(0, MAX_LENGTH)
  const bare = text.replace(/^["'“”\s]{1,4}/, '')
  const begins = (name: string) => bare.slice(0, name.length + 1).toLowerCase() === `${name}:`
  const isMeant = begins(scheme) && /authorize\/callback|\/_[^/?#]{1,64}\/join/i.test(bare)
  if (!isMeant && !(launch !== undefined && begins(launch))) return undefined
  if (argument.length > MAX_LENGTH) return 'length'
  if (bare !== text) return 'quotes'
  const name = bare.slice(0, bare.indexOf(':'))
  if (name !== name.toLowerCase()) return 'capitals'
  return /^:\/\/[^/]/.test(bare.slice(name.length)) ? 'authority' : 'path'
}
