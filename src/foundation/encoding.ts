/** Small tools for untrusted text and data: base64url (RFC 4648 section 5), random text, comparison in constant time, a record guard. */
import { ConfigurationError } from './errors'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Bytes to base64url. No `btoa`: it is missing in some shells and needs a detour through a string. */
export function base64url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[i], bytes[i + 1], bytes[i + 2]]
    const group = (a << 16) | (b << 8) | c
    const sextets = Math.min(bytes.length - i, 3) + 1
    for (let k = 0; k < sextets; k++) text += ALPHABET.charAt((group >> (18 - 6 * k)) & 63)
  }
  return text
}

/** Fresh random text of 256 bits, as 43 base64url characters: fit for a state, a nonce or a code verifier. */
export function randomText(): string {
  const crypto = globalThis.crypto as Crypto | undefined
  if (!crypto)
    throw new ConfigurationError('unsupported', 'This environment has no crypto.getRandomValues, so nothing secure can be made in it.')
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** Compares two texts in a time that depends on their lengths only. */
export function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

/** Whether a value is an object with named fields. Read those by name only: it may hold `__proto__`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
