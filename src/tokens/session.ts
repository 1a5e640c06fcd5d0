/** Who is signed in, and with what. */
import { ProtocolError } from '../foundation/errors'
import { isUserId, type UserId } from '../foundation/ids'
import type { TokenSet } from './token-set'

/** A signed-in player. */
export interface Session {
  readonly userId: UserId
  readonly tokens: TokenSet
  /** `fresh`: the access token is good. `stale`: it has expired and is to be renewed. `offline`: it could not be renewed for want of a network. */
  readonly state: 'fresh' | 'stale' | 'offline'
  readonly grantedScopes: readonly string[]
  /** Asked for and not granted. */
  readonly missingScopes: readonly string[]
}

/** The session of a verified token set. `asked`: the scopes that were asked for. @throws ProtocolError `missing_id_token`: without a verified ID token nobody is signed in. */
export function createSession(tokens: TokenSet, asked: readonly string[]): Session {
  const userId = tokens.claims?.sub
  if (!isUserId(userId)) throw new ProtocolError('missing_id_token')
  const missingScopes = asked.filter((scope) => !tokens.scopes.includes(scope))
  return Object.freeze({ userId, tokens, state: 'fresh', grantedScopes: tokens.scopes, missingScopes })
}
