/** A player's session, with all that is needed to refresh it, and its changes. */
import type { SessionErrorCode, SessionError } from '../../shared/foundation/errors'
import type { ApplicationId, UserId } from '../../shared/foundation/ids'
import { type SessionUser, userFromClaims } from '../../shared/tokens/session-user'
import type { TokenSet } from '../../shared/tokens/token-set'
import { extraScopes } from './extra-scopes'

/** A signed-in player. Every refresh creates a new object. */
export interface Session {
  /** The player's id. */
  readonly userId: UserId
  /**
   * The player's name and picture. The SDK asks the service once for each sign-in and keeps them with the session. Empty while the service
   * does not answer: `sessionChanged` announces the names.
   */
  readonly user: SessionUser
  /**
   * Proof of the player's id. `id_token`: a verified ID token. `userinfo`: the service's answer to the access token, since the service
   * issued no ID token.
   */
  readonly proof: 'id_token' | 'userinfo'
  /** The player's tokens. `reveal()` throws `unsupported` if the backend of `backendSession` keeps them (`tokens: 'none'`). */
  readonly tokens: TokenSet
  /**
   * `fresh`: the access token is valid. `stale`: it has expired and will be refreshed. `offline`: it could not be refreshed without a
   * network. Evaluated at each access, by this machine's clock.
   */
  readonly state: 'fresh' | 'stale' | 'offline'
  /** Scopes that the service granted. */
  readonly grantedScopes: readonly string[]
  /** Requested scopes that were not granted. */
  readonly missingScopes: readonly string[]
  /**
   * Granted scopes that were not requested; scopes included in the sdk scopes count as requested (docs/interface/authorization.md#scopes).
   * With `refuseExtraScopes` such a sign-in fails.
   */
  readonly extraScopes: readonly string[]
  /** `store`: the next page can restore the session. `memory`: it cannot, since there is no store, or the store failed. */
  readonly storage: 'memory' | 'store'
}

/** Properties of a session that are evaluated at each access. */
interface SessionView {
  state: () => Session['state']
  storage: () => Session['storage']
}

/** False while it is worth asking the service for the player's names. */
export function knowsUser({ user, issuer, tokens: { claims } }: SessionRecord): boolean {
  return user !== undefined || userFromClaims(claims, issuer).username !== undefined
}

export function createSession(record: SessionRecord, { state, storage }: SessionView): Session {
  const { userId, tokens, asked, issuer, user } = record
  return Object.freeze({
    userId,
    user: Object.freeze({ ...userFromClaims(tokens.claims, issuer), ...user }),
    proof: tokens.claims ? 'id_token' : 'userinfo',
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

type RecordAge = Pick<SessionRecord, 'id' | 'epoch'>

/** True if both are the same state of the same session. */
export function isSame(one: RecordAge | null | undefined, other: RecordAge): boolean {
  return one?.id === other.id && one.epoch === other.epoch
}

export function isRecordOf(stored: Stored): stored is { record: SessionRecord } {
  return typeof stored === 'object' && 'record' in stored
}

/** A change of the session that the game did not cause. */
export type SessionChange =
  | { kind: 'refreshed'; session: Session; elsewhere: boolean }
  | { kind: 'signed_in'; session: Session }
  /** Another tab signed a player in while no player was signed in here. */
  | { kind: 'found'; session: Session }
  /** The player's names have become known. */
  | { kind: 'named'; session: Session }
  | { kind: 'ended'; session?: undefined; error: SessionError }

/** A session with all data needed to refresh it. */
export interface SessionRecord {
  /** Random id, constant from sign-in to sign-out. */
  readonly id: string
  /** Number of refreshes. */
  readonly epoch: number
  /** The service that issued the tokens. */
  readonly issuer: string
  readonly clientId: ApplicationId
  readonly userId: UserId
  readonly tokens: TokenSet
  /** The user that the service returned. Empty if it returns none, undefined before it has answered. */
  readonly user?: SessionUser | undefined
  readonly asked: readonly string[]
  /** Epoch ms of this machine's clock. */
  readonly obtainedAt: number
  /** Epoch ms when the ID token arrived, if a later refresh brought none. */
  readonly idTokenAt?: number | undefined
  /** Set while a refresh is running, or its outcome is unknown. */
  readonly attempt?: RefreshAttempt | undefined
}

/** A refresh without a processed response: the service may or may not have invalidated the refresh token. */
export interface RefreshAttempt {
  /** Epoch ms when the request was sent. */
  readonly at: number
  /** Number of requests sent with this refresh token. */
  readonly tries: number
  /**
   * `sent`: no outcome is known. `lost`: no usable response arrived. `refused`: rejected with `invalid_grant`, after a request without a
   * response.
   */
  readonly outcome: 'sent' | 'lost' | 'refused'
  /** Epoch ms before which it is not sent again. */
  readonly retryAt: number
}

/** Possible values of a key. `foreign`: written by a later version of the SDK, must not be changed. */
export type Stored =
  { record: SessionRecord } | { ended: string; why: SessionErrorCode } | 'foreign' | undefined

/** The service and the application that a record must belong to. */
export interface RecordOwner {
  readonly issuer: string
  /** Undefined for a client without an application id: it accepts the record of any application. */
  readonly clientId: ApplicationId | undefined
}

/** Key of a session in the store, and the session's owner. */
export interface StorageKey extends RecordOwner {
  readonly key: string
}

/** Where the clients of one issuer, application and profile keep their session. */
export const storedKey = (
  { service, profile }: { readonly service: { readonly issuer: string }; readonly profile: string },
  clientId: ApplicationId | undefined,
): string => `foyer:session:${service.issuer} ${clientId ?? ''} ${profile}`
