/** The redirect URI that a game gives, as it is sent. */

export interface RedirectAddress {
  uri: string
  origin: string
}

/**
 * A relative one becomes whole. One that is whole already stays as it is, letter for letter: services compare it with the one that is
 * registered (RFC 9700 section 2.1).
 */
export function redirectAddress(given: string): RedirectAddress {
  const { href, origin } = new URL(given, document.baseURI)
  return { uri: /^https?:\/\//i.test(given) ? given : href, origin }
}
