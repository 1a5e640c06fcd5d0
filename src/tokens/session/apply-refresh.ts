/** Merges refreshed tokens into a record and requires the same player (OpenID Connect Core section 12.2, RFC 6749 section 6). Pure. */
import { ProtocolError } from '../../foundation/errors'
import type { SessionRecord } from './session-record'
import type { VerifiedTokens } from '../requests/token-response-reader'
import type { TokenSet } from '../token-set'

/**
 * The record after a refresh. Fields missing from the response stay as they were.
 * @throws ProtocolError `invalid_id_token` if it is for another player, or for an earlier sign-in.
 */
export function applyRefresh(before: SessionRecord, { tokens, obtainedAt }: VerifiedTokens): SessionRecord {
  requireSamePlayer(before, tokens)
  const { epoch, tokens: previous } = before
  const scopes = tokens.scopes.length > 0 ? tokens.scopes : previous.scopes
  // `idToken` and `claims` are always replaced together.
  return {
    ...before,
    epoch: epoch + 1,
    obtainedAt,
    idTokenAt: tokens.idToken ? undefined : (before.idTokenAt ?? before.obtainedAt),
    tokens: { ...previous, ...tokens, scopes },
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
