/** Reads a token answer: decodes it, verifies its ID token. Loaded on demand, and `jose` with it. */
import type { ResultBinding } from '../authorization/result'
import type { Log } from '../foundation/log'
import type { HttpContext } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import type { Answered } from './exchange'
import { verifyIdToken } from './id-token'
import { KeySet } from './key-set'
import { createSession, type Session } from './session'
import { decodeTokenSet, splitScopes, type TokenSet } from './token-set'

export interface TokenReaderOptions extends HttpContext {
  profile: ServiceProfile
  log: Log
}

/** What a code was worth. */
export interface Redeemed {
  tokens: TokenSet
  /** Undefined when `openid` was not asked for: then it is not known who the player is. */
  session?: Session
}

export class TokenReader {
  readonly #options: TokenReaderOptions
  readonly #keys: KeySet

  constructor(options: TokenReaderOptions) {
    this.#options = options
    this.#keys = new KeySet(options, options.profile.keysUrl)
  }

  /**
   * The tokens of an answer, with the verified claims of its ID token.
   * @throws ProtocolError `malformed_response`, `missing_id_token`, `invalid_id_token`, `keys_unavailable`.
   */
  async read({ answer, receivedAt }: Answered, binding: ResultBinding & { clientId: string }, signal?: AbortSignal): Promise<Redeemed> {
    const asked = splitScopes(binding.scopes ?? '')
    const tokens = decodeTokenSet(answer.body, { asked, now: receivedAt })
    if (!tokens.idToken) return { tokens }
    const { profile, log } = this.#options
    const expected = {
      issuer: profile.issuer,
      clientId: binding.clientId,
      accessToken: tokens.accessToken.reveal(),
      now: receivedAt,
      ...(binding.nonce !== undefined && { nonce: binding.nonce }),
      ...(answer.date && { serverDate: answer.date }),
    }
    const { claims } = await verifyIdToken(tokens.idToken.reveal(), expected, { keys: this.#keys, ...(signal && { signal }) })
    log('info', 'id_token.verified')
    const verified = { ...tokens, claims }
    return { tokens: verified, session: createSession(verified, asked) }
  }
}
