/** What a renewed token set must have in common with the one before it (OpenID Connect Core section 12.2, RFC 6749 section 6). Pure. */
import { invalidIdToken } from './id-token-error'
import type { SessionRecord } from './session-record'
import type { Redeemed } from './token-reader'
import type { TokenSet } from './token-set'

/**
 * The session after a renewal. What the answer leaves out stays as it was.
 * @throws ProtocolError `invalid_id_token` when it is for another player, or for a sign-in of before.
 */
export function renewedRecord({ attempt: _, ...before }: SessionRecord, { tokens, obtainedAt, skew }: Redeemed): SessionRecord {
  requireSamePlayer(before.tokens, tokens)
  const { refreshToken, idToken, claims, scopes } = before.tokens
  const kept = {
    ...(refreshToken && { refreshToken }),
    ...(!tokens.claims && idToken && { idToken }),
    ...(!tokens.claims && claims && { claims }),
  }
  return {
    ...before,
    epoch: before.epoch + 1,
    obtainedAt,
    skew: tokens.claims ? skew : before.skew,
    tokens: { ...kept, ...tokens, scopes: tokens.scopes.length > 0 ? tokens.scopes : scopes },
  }
}

function requireSamePlayer({ claims: before }: TokenSet, { claims: after }: TokenSet): void {
  if (!before || !after) return
  if (after.sub !== before.sub) throw invalidIdToken('sub', 'as before')
  const [signedIn, again] = [before['auth_time'], after['auth_time']]
  if (typeof signedIn === 'number' && typeof again === 'number' && again !== signedIn) throw invalidIdToken('auth_time', 'as before')
}
