/** Cookies of a backend's sessions: their names, attributes and values. Pure. */

import { base64url, sha256 } from '../../shared/foundation/crypto'
import type { ApplicationId } from '../../shared/foundation/ids'

/** Kind of page that a cookie is for. */
export interface CookiePlace {
  /** False in development over plain http on this machine: no `Secure`, no `__Host-`. */
  readonly isSecure: boolean
  /** The page is in a frame of another site, as an Activity is. */
  readonly isEmbedded?: boolean
  /** Two games of one host, also on two ports of this machine, share a cookie jar: each has cookies of its own names. */
  readonly applicationId: ApplicationId
  /** Ports of the pages on this machine. Cookies know no ports: their names do. */
  readonly ports?: string | undefined
  /** Another name of the session's cookie, for a host that passes only this one. */
  readonly cookieName?: string | undefined
}

const NAME = 'foyer-session'
const ATTEMPT = 'foyer-sign-in'
/** Characters of the hash of a state in the name of a cookie. */
const HASH_LENGTH = 12
/** Browsers drop larger ones. */
const MAX_VALUE = 3800

/** The prefix keeps a cookie of a subdomain, or one for a path, from taking its place. */
const nameOf = (name: string, { isSecure, applicationId, ports = '' }: CookiePlace): string =>
  isSecure ? `__Host-${name}-${applicationId}` : `${name}-${applicationId}${ports && `-${ports}`}`

/** A partitioned cookie does not replace another one of its name: in a frame of the same site, both are sent. */
export const sessionCookie = (place: CookiePlace): string =>
  place.cookieName ?? nameOf(place.isEmbedded ? `${NAME}-embedded` : NAME, place)
/** Each attempt has a cookie of its own, by its state: two tabs may sign in at once. The state itself is a secret of the browser. */
export const attemptCookie = (place: CookiePlace, state: string): string =>
  nameOf(`${ATTEMPT}-${base64url(sha256(state)).slice(0, HASH_LENGTH)}`, place)

/**
 * The value of a cookie. Undefined if there is none, and if there are two that differ: one of them was put there by somebody else. A proxy may
 * repeat the same.
 */
export function readCookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const values = new Set(
    pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1)),
  )
  const [value] = values
  return values.size === 1 && value && value.length <= MAX_VALUE ? value : undefined
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

/** Names of the cookies of this place's open attempts that a request came with. Those of another game on the same host are not among them. */
export function attemptsOf(headers: Headers, place: CookiePlace): string[] {
  const names = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('=')[0] ?? '')
  const [start = '', end = ''] = nameOf(`${ATTEMPT}-*`, place).split('*')
  const { length } = start + end
  return names.filter(
    (name) => name.startsWith(start) && name.endsWith(end) && name.length === length + HASH_LENGTH,
  )
}
