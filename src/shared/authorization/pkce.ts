/** PKCE (RFC 7636): binds an authorization code to the client that requested it. */
import { base64url, randomText, sha256 } from '../foundation/crypto'
import { Secret } from '../foundation/secret'
import type { AuthorizationCodeChallenge } from './authorization-args'

/** PKCE pair (docs/interface/authorization.md#code-challenge): send the challenge, and pass the verifier to `getToken`. */
export interface AuthorizationCodeVerifier {
  /** Code verifier (RFC 7636 section 4.1). */
  verifier: Secret
  /** Challenge for `AuthorizationArgsFields.codeChallenge`. */
  challenge: AuthorizationCodeChallenge
}

/**
 * Creates a pair from 256 random bits. Synchronous, unlike Web Crypto, so that a popup can open inside the player's click. The challenge is
 * `BASE64URL(SHA256(ASCII(verifier)))` (RFC 7636 section 4.2).
 *
 * @throws ConfigurationError `unsupported` without a secure random source.
 */
export function createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
  const verifier = randomText()
  return {
    verifier: new Secret(verifier),
    challenge: { method: 'S256', challenge: base64url(sha256(verifier)) },
  }
}
