/** Random texts, SHA-256, base64url, and comparison of secrets. */
// The class instead of the ready-made function: the latter adds 300 bytes of argument checks that are not needed here.
import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js'
import { ConfigurationError } from './errors'

/** Encodes bytes as base64url (RFC 4648 section 5). */
export function base64url(bytes: Uint8Array): string {
  // `Reflect.apply` takes the bytes as they are: spreading them costs as much as all the rest.
  const text: string = Reflect.apply(String.fromCharCode, null, bytes)
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
}

/** 256 random bits as 43 base64url characters: fit for a state, a nonce or a code verifier. @throws ConfigurationError `unsupported`. */
export function randomText(): string {
  const crypto = globalThis.crypto as Crypto | undefined
  if (!crypto) throw new ConfigurationError('unsupported', 'crypto.getRandomValues')
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * Synchronous SHA-256 of a string; the platform hashes asynchronously only.
 * @throws ConfigurationError `unsupported` in Jest with jsdom, which has no `TextEncoder`.
 */
export function sha256(text: string): Uint8Array {
  if (typeof globalThis.TextEncoder === 'undefined')
    throw new ConfigurationError('unsupported', 'TextEncoder', {
      remedy: 'Set globalThis.TextEncoder, or test with the environment node',
    })
  return new Sha256().update(new TextEncoder().encode(text)).digest()
}

/** Compares two strings in a time that depends on their lengths only. */
export function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

/** Fails early: without Web Crypto every signature of an ID token would seem invalid. @throws ConfigurationError `unsupported`. */
export function requireWebCrypto(): void {
  const platform: { crypto?: Partial<Crypto> } = globalThis
  if (!platform.crypto?.subtle)
    throw new ConfigurationError('unsupported', 'crypto.subtle', {
      remedy: 'Serve the page over https:// or from localhost',
    })
}
