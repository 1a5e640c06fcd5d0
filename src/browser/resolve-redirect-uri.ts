/** Resolves the configured redirect URI. */

export interface RedirectAddress {
  uri: string
  origin: string
}

/**
 * Makes a relative URI absolute. An absolute one stays unchanged to the letter, because services compare it with the registered one (RFC
 * 9700 section 2.1).
 */
export function redirectAddress(given: string): RedirectAddress {
  const { href, origin } = new URL(given, document.baseURI)
  return { uri: /^https?:\/\//i.test(given) ? given : href, origin }
}
