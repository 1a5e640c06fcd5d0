/** Strict base64url (RFC 7515 section 2): one text for one value, so that no two tokens or keys mean the same. */
import { base64url } from 'jose'

/** The bytes of a canonical base64url text. Undefined for padding, white space, other alphabets and stray last bits. */
export function decodeBase64url(text: unknown): Uint8Array | undefined {
  try {
    const bytes = typeof text === 'string' ? base64url.decode(text) : undefined
    // The decoder forgives a lot; writing the bytes again does not.
    return bytes && base64url.encode(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
