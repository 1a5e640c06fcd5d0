/** PKCE (RFC 7636): the pair that binds an authorization code to the game that asked for it. */
import { sha256 } from '@noble/hashes/sha2.js'
import { base64url, randomText } from '../foundation/encoding'
import { Secret } from '../foundation/secret'
import type { AuthorizationCodeChallenge } from './args'

/** Both halves of a PKCE pair (S:198): send the challenge, keep the verifier for `getToken`. */
export interface AuthorizationCodeVerifier {
  verifier: Secret
  challenge: AuthorizationCodeChallenge
}

/**
 * A fresh pair of 256 random bits. Synchronous, so that a popup can open inside the player's click: browsers hash asynchronously only.
 * @throws ConfigurationError `unsupported` where there is no secure randomness.
 */
export function createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
  const verifier = randomText()
  return { verifier: new Secret(verifier), challenge: { method: 'S256', challenge: challengeOf(verifier) } }
}

/** `BASE64URL(SHA256(ASCII(verifier)))`, RFC 7636 section 4.2. */
function challengeOf(verifier: string): string {
  return base64url(sha256(Uint8Array.from(verifier, (character) => character.charCodeAt(0))))
}
