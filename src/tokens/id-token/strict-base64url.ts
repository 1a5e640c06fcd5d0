/** Strict base64url (RFC 7515 section 2): one text for one value, so that no two tokens or keys mean the same. */
import { base64url } from '../../foundation/encoding'

/** The bytes of a canonical base64url text. Undefined for padding, white space, other alphabets and stray last bits. */
export function decodeBase64url(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
    // The decoder forgives a lot; writing the bytes again does not.
    return base64url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
