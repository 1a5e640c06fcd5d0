/** Invitations in links: the secret of a lobby as a parameter. Pure. */

/** Invitation to a lobby, from a link. */
export interface Invitation {
  /** Secret for `createOrJoinLobby`. Whoever made the link chose it: the game decides whether the player joins. */
  readonly secret: string
}

/** Secrets of links: those of `createOrJoinLobby` without control characters, markup, and the name of every object's prototype. */
const SECRET = /^(?!\s*$|__proto__$)[^\p{Cc}<>]{1,250}$/u

/** True if a link can bring this secret. */
export const isLinkable = (secret: string): boolean => SECRET.test(secret)

/** Decodes the secret of a link. Undefined if no link can bring it. @throws URIError for malformed percent encoding. */
export function readSecret(text: string): string | undefined {
  const secret = decodeURIComponent(text)
  return isLinkable(secret) ? secret : undefined
}

/** Begins an invitation at the end of an address. A fragment that the address has already stays: `#room#join=…`. */
export const JOIN = '#join='
