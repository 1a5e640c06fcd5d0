/** Resolves the configured redirect URI, and names the origin of this page. */
import { ConfigurationError } from '../../shared/foundation/errors'

export interface RedirectAddress {
  uri: string
  origin: string
}

/**
 * Makes a relative URI absolute. An absolute one stays unchanged to the letter, because services compare it with the registered one (RFC
 * 9700 section 2.1).
 *
 * @throws ConfigurationError `invalid_argument` if a relative URI has nothing to be relative to, as in a frame with a `blob:` address.
 */
export function redirectAddress(given: string): RedirectAddress {
  try {
    const { href, origin } = new URL(given, document.baseURI)
    return { uri: /^https?:\/\//i.test(given) ? given : href, origin }
  } catch {
    throw addressMissing()
  }
}

/** Returns this page without query and fragment. @throws ConfigurationError `invalid_argument` for `srcdoc`, `blob:` and `about:blank`. */
export function pageRedirectUri(): string {
  const { protocol, origin, pathname } = location
  if (/^(about|blob|data):$/.test(protocol)) throw addressMissing()
  return redirectAddress(origin + pathname).uri
}

const addressMissing = (): ConfigurationError =>
  new ConfigurationError('invalid_argument', 'redirectUri', {
    remedy:
      'This page has no address of its own (srcdoc, blob:): give an absolute redirectUri, beginning with https://',
  })

/** The one of the parent in a `srcdoc` frame, whose location has none. Engines before 2017 have only the location. */
export function pageOrigin(): string {
  const { origin }: { origin?: string } = window
  return origin ?? location.origin
}
