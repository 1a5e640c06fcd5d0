/** What a client asks of its session, wherever the code for it is loaded from. */
import type { FoyerError } from '../foundation/errors'
import type { UserId } from '../foundation/ids'
import type { Secret } from '../foundation/secret'
import type { CurrentSession } from '../tokens/session/current-session'
import type { Refresh } from '../tokens/session/refresh'
import type { Session } from '../tokens/session/session'
import type { SessionRecord } from '../tokens/session/record'
import type { VerifiedTokens } from '../tokens/token-response'
import type { TokenSet } from '../tokens/token-set'

export interface CallOptions {
  signal?: AbortSignal
}

export interface SignOutOptions extends CallOptions {
  /** Ends the tokens at the service too, and with them every session of this player with this game. Default: false. */
  revoke?: boolean
}

/** `revoked`: whether the service has ended the tokens; `error`: why not, where it was asked to. The player is signed out here in any case. */
export interface SignOutResult {
  revoked: boolean
  error?: FoyerError
}

/** What a session is made of. `userId` where no claims tell. */
export type VerifiedSignIn = VerifiedTokens & { userId?: UserId }

export interface SessionMethods {
  /** Brings the session of the store back, if there is one: the same player, without a request. Idempotent. */
  resume(): Promise<Session | null>
  /**
   * Renews the session's tokens now, or redeems a refresh token of the game's own, which leaves `session` alone. All tabs that share the
   * session wait for one request.
   * @throws SessionError `signed_out`, `session_expired` (nothing to renew with), `refresh_in_doubt` (retryable), `refresh_rejected`,
   * `refresh_answer_lost`. @throws AuthorizationError `invalid_grant` for a token of the game's own. @throws NetworkError, ApiError,
   * ProtocolError: the session stays.
   */
  refreshToken(refreshToken?: Secret | string | null, options?: CallOptions): Promise<TokenSet>
}

export interface Sessions extends SessionMethods {
  currentSession: CurrentSession
  refresh: Refresh
  /** Loads the code that renews a session: a sign-in has it before it redeems its code. */
  prepare(): Promise<unknown>
  adopt(redeemed: VerifiedSignIn): Promise<Session>
  /** The session with a token that is good for now: one that has expired is renewed first. @throws SessionError. And as `renew` does. */
  getUsableRecord: () => Promise<SessionRecord>
  signOut(options: SignOutOptions): Promise<SignOutResult>
}
