/** PKCE (RFC 7636): the pair that binds an authorization code to the game that asked for it. */
import { base64url } from '../foundation/encoding'
import { randomText } from '../foundation/random'
import { Secret } from '../foundation/secret'
import { sha256 } from '../foundation/sha256'
import type { AuthorizationCodeChallenge } from './args'

/** Both halves of a PKCE pair (S:198): send the challenge, keep the verifier for `getToken`. */
export interface AuthorizationCodeVerifier {
  verifier: Secret
  challenge: AuthorizationCodeChallenge
}

/**
 * A fresh pair of 256 random bits. Synchronous, so that a popup can open inside the player's click: browsers hash asynchronously only.
 * The challenge is `BASE64URL(SHA256(ASCII(verifier)))` (RFC 7636 section 4.2).
 * @throws ConfigurationError `unsupported` where there is no secure randomness.
 */
export function createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
  const verifier = randomText()
  return { verifier: new Secret(verifier), challenge: { method: 'S256', challenge: base64url(sha256(verifier)) } }
}
