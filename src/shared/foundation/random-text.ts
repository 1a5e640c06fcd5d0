/** Cryptographically random strings. */
import { base64url } from './base64url'
import { ConfigurationError } from './errors'

/** 256 random bits as 43 base64url characters: fit for a state, a nonce or a code verifier. @throws ConfigurationError `unsupported`. */
export function randomText(): string {
  const crypto = globalThis.crypto as Crypto | undefined
  if (!crypto) throw new ConfigurationError('unsupported', 'crypto.getRandomValues')
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}
