/** What a renewed token set must have in common with the one before it (OpenID Connect Core section 12.2, RFC 6749 section 6). Pure. */
import { ProtocolError } from '../../foundation/errors'
import type { SessionRecord } from './record'
import type { VerifiedTokens } from '../token-response'
import type { TokenSet } from '../token-set'

/**
 * The session after a renewal. What the answer leaves out stays as it was.
 * @throws ProtocolError `invalid_id_token` when it is for another player, or for a sign-in of before.
 */
export function applyRefresh(before: SessionRecord, { tokens, obtainedAt }: VerifiedTokens): SessionRecord {
  requireSamePlayer(before, tokens)
  const { epoch, tokens: old } = before
  const scopes = tokens.scopes.length > 0 ? tokens.scopes : old.scopes
  // An ID token comes with its claims, or neither comes.
  return {
    ...before,
    epoch: epoch + 1,
    obtainedAt,
    tokens: { ...old, ...tokens, scopes },
    attempt: undefined,
  }
}

function requireSamePlayer({ userId, tokens }: SessionRecord, { claims }: TokenSet): void {
  if (!claims) return
  if (claims.sub !== userId) throw differentPlayer('sub')
  const [signedIn, again] = [tokens.claims?.['auth_time'], claims['auth_time']]
  if (typeof signedIn === 'number' && typeof again === 'number' && again !== signedIn) throw differentPlayer('auth_time')
}

function differentPlayer(path: string): ProtocolError {
  return new ProtocolError('invalid_id_token', path, { path, expected: 'as before' })
}
