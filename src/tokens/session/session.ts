/** Who is signed in, and with what. */
import type { UserId } from '../../foundation/ids'
import { extraScopes } from '../scopes'
import type { SessionRecord } from './record'
import { sessionUser, type SessionUser } from './user'
import type { TokenSet } from '../token-set'

/** A signed-in player. Every renewal makes a new one. */
export interface Session {
  readonly userId: UserId
  /** The player's name and picture, as far as the verified ID token has them. `fetchCurrentUser()` asks the service. */
  readonly user: SessionUser
  readonly tokens: TokenSet
  /**
   * `fresh`: the access token is good. `stale`: it has expired and is to be renewed. `offline`: it could not be renewed for want of a
   * network. Always as of now, by this machine's clock.
   */
  readonly state: 'fresh' | 'stale' | 'offline'
  readonly grantedScopes: readonly string[]
  /** Asked for and not granted. */
  readonly missingScopes: readonly string[]
  /** Granted without being asked for; what the sdk scopes include counts as asked for (S:195). `refuseExtraScopes` refuses such a sign-in. */
  readonly extraScopes: readonly string[]
  /** `store`: the next page finds it again. `memory`: it does not, since there is no store, or the store failed. */
  readonly storage: 'memory' | 'store'
}

/** What a session looks like is asked when it is looked at. */
export interface SessionView {
  state: () => Session['state']
  storage: () => Session['storage']
}

export function createSession(record: SessionRecord, { state, storage }: SessionView): Session {
  const { userId, tokens, asked } = record
  return Object.freeze({
    userId,
    user: sessionUser(record),
    tokens,
    get state() {
      return state()
    },
    grantedScopes: tokens.scopes,
    missingScopes: asked.filter((scope) => !tokens.scopes.includes(scope)),
    extraScopes: extraScopes(tokens.scopes, asked),
    get storage() {
      return storage()
    },
  })
}
