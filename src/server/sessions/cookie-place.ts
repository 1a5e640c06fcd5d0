/** Kind of cookies of a request: those of a site with https, or of a page in development on this machine. Pure. */
import type { ApplicationId } from '../../shared/foundation/ids'
import { isLocal } from './check-origin'
import { type CookiePlace, sessionCookie } from './session-cookies'

export interface CookiePlaceOptions {
  readonly applicationId: ApplicationId
  readonly origins: readonly string[]
  readonly redirectUri: string | undefined
  readonly cookieName: string | undefined
}

/** Returns the function that decides. A list may name the site and this machine: WebKit keeps no `Secure` cookie over plain http. */
export function createCookiePlaces({
  applicationId,
  origins,
  redirectUri,
  cookieName,
}: CookiePlaceOptions): (request: Request) => CookiePlace {
  const ports = origins
    .filter(isLocal)
    .map((origin) => new URL(origin).port || '80')
    .sort()
    .join('-')
  const secure: CookiePlace = { applicationId, cookieName, ports, isSecure: true }
  const local: CookiePlace = { ...secure, isSecure: false }
  return ({ headers, url }) => {
    if (origins.every(isLocal)) return local
    if (!origins.some(isLocal)) return secure
    const origin = headers.get('origin')
    if (origin !== null) return isLocal(origin) ? local : secure
    if (redirectUri !== undefined && /\/(start|callback)$/.test(new URL(url).pathname))
      return isLocal(new URL(redirectUri).origin) ? local : secure
    return headers.get('cookie')?.includes(`${sessionCookie(secure)}=`) === true ? secure : local
  }
}
