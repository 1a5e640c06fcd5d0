/** Reads a token answer: decodes it, verifies its ID token. Loaded on demand, and `jose` with it. */
import type { ResultBinding } from '../authorization/result'
import type { Log } from '../foundation/log'
import type { HttpContext, JsonAnswer } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import { verifyIdToken } from './id-token'
import { createKeySet } from './key-set'
import { createSession, type Session } from './session'
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

/** What a code was worth. */
export interface Redeemed {
  tokens: TokenSet
  /** Undefined when `openid` was not asked for: then it is not known who the player is. */
  session?: Session
}

/**
 * The tokens of an answer, with the verified claims of its ID token. Rejects with a ProtocolError: `malformed_response`,
 * `missing_id_token`, `invalid_id_token`, `keys_unavailable`.
 */
export type TokenReader = (answered: Answered, binding: ResultBinding & { clientId: string }, signal?: AbortSignal) => Promise<Redeemed>

export function createTokenReader(options: TokenReaderOptions): TokenReader {
  const { profile, log } = options
  const keys = createKeySet(options, profile.keysUrl)
  return async ({ answer, receivedAt }, { scopes = '', clientId, nonce }, signal) => {
    const asked = splitScopes(scopes)
    const tokens = decodeTokenSet(answer.body, { asked, now: receivedAt })
    if (!tokens.idToken) return { tokens }
    const accessToken = tokens.accessToken.reveal()
    const expected = { issuer: profile.issuer, clientId, accessToken, nonce, now: receivedAt, serverDate: answer.date }
    const { claims } = await verifyIdToken(tokens.idToken.reveal(), expected, { keys, signal })
    log('info', 'id_token.verified')
    const verified = { ...tokens, claims }
    return { tokens: verified, session: createSession(verified, asked) }
  }
}
