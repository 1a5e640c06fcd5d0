/** Cookies of a backend's sessions: their names, attributes and values. Pure. */

/** Kind of page that a cookie is for. */
export interface CookiePlace {
  /** False in development over plain http on this machine: no `Secure`, no `__Host-`. */
  readonly isSecure: boolean
  /** The page is in a frame of another site, as an Activity is. */
  readonly isEmbedded?: boolean
}

const NAME = 'foyer-session'
const ATTEMPT = 'foyer-sign-in'
/** Browsers drop larger ones. */
const MAX_VALUE = 3800

/** The prefix keeps a cookie of a subdomain, or one for a path, from taking its place. */
export const sessionCookie = ({ isSecure }: CookiePlace): string => (isSecure ? `__Host-${NAME}` : NAME)
export const attemptCookie = ({ isSecure }: CookiePlace): string => (isSecure ? `__Host-${ATTEMPT}` : ATTEMPT)

/** The value of a cookie. Undefined if there is none, and if there are two: one of them was put there by somebody else. */
export function readCookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
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
