/** Cookies of a backend's sessions: their names, attributes and values. Pure. */

import type { ApplicationId } from '../../shared/foundation/ids'

/** Kind of page that a cookie is for. */
export interface CookiePlace {
  /** False in development over plain http on this machine: no `Secure`, no `__Host-`. */
  readonly isSecure: boolean
  /** The page is in a frame of another site, as an Activity is. */
  readonly isEmbedded?: boolean
  /** Two games of one host, also on two ports of this machine, share a cookie jar: each has cookies of its own names. */
  readonly applicationId: ApplicationId
}

const NAME = 'foyer-session'
const ATTEMPT = 'foyer-sign-in'
/** Browsers drop larger ones. */
const MAX_VALUE = 3800

/** The prefix keeps a cookie of a subdomain, or one for a path, from taking its place. */
const nameOf = (name: string, { isSecure, applicationId }: CookiePlace): string =>
  `${isSecure ? '__Host-' : ''}${name}-${applicationId}`

/** A partitioned cookie does not replace another one of its name: in a frame of the same site, both are sent. */
export const sessionCookie = (place: CookiePlace): string =>
  nameOf(place.isEmbedded ? `${NAME}-embedded` : NAME, place)
export const attemptCookie = (place: CookiePlace): string => nameOf(ATTEMPT, place)

/** The value of a cookie. Undefined if there is none, and if there are two: one of them was put there by somebody else. */
export function readCookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const values = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  return values.length === 1 && value && value.length <= MAX_VALUE ? value : undefined
}

/** `Set-Cookie` with a value for `maxAge` ms. Without a value: deletes it. */
export function writeCookie(
  name: string,
  { value = '', maxAge = 0, place }: { value?: string; maxAge?: number; place: CookiePlace },
): string {
  const { isSecure, isEmbedded } = place
  // Frames of another site get a cookie of their own for each embedding site.
  const site = isEmbedded ? 'SameSite=None; Secure; Partitioned' : `SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${name}=${value}; Path=/; Max-Age=${Math.floor(maxAge / 1000)}; HttpOnly; ${site}`
}
