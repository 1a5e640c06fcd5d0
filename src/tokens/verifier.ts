/** Verifies ID tokens with code that is loaded when the first one arrives: a game that signs nobody in never pays for it. */
import type { Log } from '../foundation/log'
import { NetworkError, ProtocolError } from '../foundation/errors'
import type { HttpContext } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import type { IdTokenExpectation } from './id-token'
import type { KeySet } from './key-set'
import type { IdTokenClaims, TokenSet } from './token-set'

export interface IdTokenVerifierOptions extends HttpContext {
  profile: ServiceProfile
  log: Log
}

export class IdTokenVerifier {
  readonly #options: IdTokenVerifierOptions
  #keys: KeySet | undefined

  constructor(options: IdTokenVerifierOptions) {
    this.#options = options
  }

  /** The verified claims of a token set's ID token. @throws ProtocolError `invalid_id_token`, `keys_unavailable`. */
  async verify(
    tokens: TokenSet,
    expected: Omit<IdTokenExpectation, 'issuer' | 'accessToken'>,
    signal?: AbortSignal,
  ): Promise<IdTokenClaims> {
    const { profile, log } = this.#options
    const { KeySet, verifyIdToken } = await loadVerification()
    this.#keys ??= new KeySet(this.#options, profile.keysUrl)
    const idToken = tokens.idToken?.reveal()
    if (!idToken) throw new ProtocolError('missing_id_token', 'There is no ID token to verify.')
    const expectation = { ...expected, issuer: profile.issuer, accessToken: tokens.accessToken.reveal() }
    const { claims } = await verifyIdToken(idToken, expectation, { keys: this.#keys, ...(signal && { signal }) })
    log('info', 'id_token.verified', { checked: 'signature, alg, iss, aud, azp, exp, iat, nonce, sub, at_hash' })
    return claims
  }
}

async function loadVerification() {
  try {
    return await import('./id-token')
  } catch (error) {
    throw new NetworkError('connection_failed', 'The part of the SDK that verifies ID tokens could not be loaded.', { cause: error })
  }
}
