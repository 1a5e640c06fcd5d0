/** Strict base64url (RFC 7515 section 2): one encoding for each value, so that no two tokens or keys are equal in meaning. */
import { base64url } from '../../foundation/base64url'

/** Decodes canonical base64url. Undefined for padding, white space, other alphabets and stray last bits. */
export function decodeBase64url(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
    // `atob` is lenient; encoding the bytes again detects any deviation.
    return base64url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
