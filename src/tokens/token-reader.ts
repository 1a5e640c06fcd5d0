/** Reads a token answer: decodes it, verifies its ID token. Loaded on demand. */
import type { ResultBinding } from '../authorization/result'
import type { Check } from '../foundation/check'
import type { Log } from '../foundation/log'
import type { HttpContext, JsonAnswer } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import { verifyIdToken } from './id-token'
import type { KeySet } from './key-set'
import { decodeTokenSet, splitScopes, type TokenSet } from './token-set'

export interface TokenReaderOptions extends HttpContext {
  profile: ServiceProfile
  log: Log
}

/** A token answer as it came, and when. */
export interface Answered {
  answer: JsonAnswer
  /** Epoch ms. */
  receivedAt: number
}

/** What a code, or a refresh token, was worth. */
export interface Redeemed {
  /** With `claims` only when an ID token came: otherwise it is not known who the player is. */
  tokens: TokenSet
  clientId: string
  asked: readonly string[]
  /** Epoch ms of this machine's clock. */
  obtainedAt: number
}

/** What is known before an answer is read. */
export interface Expected extends ResultBinding {
  clientId: string
  /** The answer renews tokens: it may come without an ID token, and the ID token without a nonce (OpenID Connect Core section 12.2). */
  renewal?: boolean
}

/**
 * The tokens of an answer, with the verified claims of its ID token. Rejects with a ProtocolError: `malformed_response`,
 * `missing_id_token`, `invalid_id_token`, `keys_unavailable`.
 */
export type TokenReader = (answered: Answered, expected: Expected, signal?: AbortSignal) => Promise<Redeemed>

export function createTokenReader(options: TokenReaderOptions, keys: KeySet): TokenReader {
  const { profile, log } = options
  return async ({ answer, receivedAt }, { scopes = '', clientId, nonce, renewal }, signal) => {
    const asked = splitScopes(scopes)
    const tokens = decodeTokenSet(answer.body, { asked, now: receivedAt, renewal })
    const redeemed = { tokens, clientId, asked, obtainedAt: receivedAt }
    if (!tokens.idToken) return redeemed
    const accessToken = tokens.accessToken.reveal()
    const expected = { issuer: profile.issuer, clientId, accessToken, nonce, renewal, now: receivedAt, serverDate: answer.date }
    const report = (checks: readonly Check[]) => log('info', 'id_token.checked', { checks })
    const { claims } = await verifyIdToken(tokens.idToken.reveal(), expected, { keys, signal, report })
    log('info', 'id_token.verified')
    return { ...redeemed, tokens: { ...tokens, claims } }
  }
}
