/** Small tools for untrusted text and data: base64url (RFC 4648 section 5), random text, comparison in constant time, guards. */
import { ConfigurationError } from './errors'

/** Bytes to base64url. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => ({ '+': '-', '/': '_' })[character] ?? '')
}

/** Fresh random text of 256 bits, as 43 base64url characters: fit for a state, a nonce or a code verifier. */
export function randomText(): string {
  const crypto = globalThis.crypto as Crypto | undefined
  if (!crypto) throw new ConfigurationError('unsupported', 'crypto.getRandomValues')
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** Compares two texts in a time that depends on their lengths only. */
export function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

export function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** Whether a value is an object with named fields. Read those by name only: it may hold `__proto__`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
