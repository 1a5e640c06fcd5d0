/** Decodes a JSON Web Token for display only. It checks nothing. */

export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** Claims that come first, in this order. */
const ORDER = ['iss', 'sub', 'aud', 'azp', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash']

/** Returns undefined for a text that is no token. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [head, body, ...rest] = token.split('.').map(decodePart)
  return head && body && rest.length === 1 ? { header: head, claims: inOrder(body) } : undefined
}

/** Returns the JSON object that a part of a token encodes; undefined if it is none. */
export function decodePart(part: string): Record<string, unknown> | undefined {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const placeOf = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)

/** The claims of the specification, then those of the service by name. */
export function inOrder(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(claims).toSorted(([a], [b]) => placeOf(a) - placeOf(b) || a.localeCompare(b)),
  )
}
