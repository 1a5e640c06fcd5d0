/** Reads a token answer: decodes it, verifies its ID token. Loaded on demand. */
import type { ResultBinding } from '../authorization/result'
import type { Check } from '../foundation/check'
import type { Log } from '../foundation/log'
import type { HttpContext, JsonAnswer } from '../http/request'
import type { ServiceConfig } from '../service/config'
import { verifyIdToken } from './id-token/verify'
import type { RemoteJwks } from './id-token/jwks'
import { decodeTokenSet, splitScopes, type TokenSet } from './token-set'

export interface TokenResponseReaderOptions extends HttpContext {
  service: ServiceConfig
  log: Log
}

/** A token answer as it came, and when. */
export interface ReceivedResponse {
  answer: JsonAnswer
  /** Epoch ms. */
  receivedAt: number
}

/** What a code, or a refresh token, was worth. */
export interface VerifiedTokens {
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
  isRefresh?: boolean
}

/**
 * The tokens of an answer, with the verified claims of its ID token. Rejects with a ProtocolError: `malformed_response`,
 * `missing_id_token`, `invalid_id_token`, `keys_unavailable`.
 */
export type TokenResponseReader = (answered: ReceivedResponse, expected: Expected, signal?: AbortSignal) => Promise<VerifiedTokens>

export function createTokenResponseReader(options: TokenResponseReaderOptions, keys: RemoteJwks): TokenResponseReader {
  const { service, log } = options
  return async ({ answer, receivedAt }, { scopes = '', clientId, nonce, isRefresh }, signal) => {
    const asked = splitScopes(scopes)
    const tokens = decodeTokenSet(answer.body, { asked, now: receivedAt, isRefresh })
    const redeemed = { tokens, clientId, asked, obtainedAt: receivedAt }
    if (!tokens.idToken) return redeemed
    const accessToken = tokens.accessToken.reveal()
    const expected = { issuer: service.issuer, clientId, accessToken, nonce, isRefresh, now: receivedAt, serverDate: answer.date }
    const report = (checks: readonly Check[]) => log('info', 'id_token.checked', { checks })
    const { claims } = await verifyIdToken(tokens.idToken.reveal(), expected, { keys, signal, report })
    log('info', 'id_token.verified')
    return { ...redeemed, tokens: { ...tokens, claims } }
  }
}
