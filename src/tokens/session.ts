/** Who is signed in, and with what. */
import type { UserId } from '../foundation/ids'
import type { SessionRecord } from './session-record'
import type { TokenSet } from './token-set'

/** A signed-in player. Every renewal makes a new one. */
export interface Session {
  readonly userId: UserId
  readonly tokens: TokenSet
  /**
   * `fresh`: the access token is good. `stale`: it has expired and is to be renewed. `offline`: it could not be renewed for want of a
   * network. Always as of now, by this machine's clock.
   */
  readonly state: 'fresh' | 'stale' | 'offline'
  readonly grantedScopes: readonly string[]
  /** Asked for and not granted. */
  readonly missingScopes: readonly string[]
  /** `store`: the next page finds it again. `memory`: it does not, since there is no store, or the store failed. */
  readonly storage: 'memory' | 'store'
}

/** What a session looks like is asked when it is looked at. */
export interface SessionView {
  state: () => Session['state']
  storage: () => Session['storage']
}

export function createSession({ userId, tokens, asked }: SessionRecord, { state, storage }: SessionView): Session {
  return Object.freeze({
    userId,
    tokens,
    get state() {
      return state()
    },
    grantedScopes: tokens.scopes,
    missingScopes: asked.filter((scope) => !tokens.scopes.includes(scope)),
    get storage() {
      return storage()
    },
  })
}
