/** Encodes bytes as base64url (RFC 4648 section 5). */
export function base64url(bytes: Uint8Array): string {
  // `Reflect.apply` takes the bytes as they are: spreading them costs as much as all the rest.
  const text: string = Reflect.apply(String.fromCharCode, null, bytes)
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
}
