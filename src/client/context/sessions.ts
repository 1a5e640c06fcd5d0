/** Interface between the client and the lazily loaded session module. */
import type { CallOptions } from '../../shared/foundation/options'
import type { Caller } from './caller'
import type { FoyerError } from '../../shared/foundation/errors'
import type { Secret } from '../../shared/foundation/secret'
import type { CurrentSession } from '../session/current-session'
import type { Refresh } from '../session/create-refresher'
import type { Session } from '../session/session'
import type { SessionRecord } from '../session/session-record'
import type { IdentifiedTokens } from '../../shared/tokens/requests/identify-player'
import type { VerifiedTokens } from '../../shared/tokens/requests/token-endpoint'
import type { TokenSet } from '../../shared/tokens/token-set'

/** Options of `signOut`. */
export interface SignOutOptions extends CallOptions {
  /** Revokes the tokens at the service too, and with them every session of this player with this game. Default: false. */
  revoke?: boolean | undefined
}

/** Result of `signOut`. The player is signed out locally in any case. */
export interface SignOutResult {
  /** True if the service revoked the tokens. */
  revoked: boolean
  /** Why a requested revocation failed. */
  error?: FoyerError
}

/** Calls about the session. */
export interface SessionMethods {
  resume(): Promise<Session | null>
  refreshToken(refreshToken?: Secret | string | null, options?: CallOptions): Promise<TokenSet>
}

export interface Sessions {
  /** The public methods for a caller. */
  methods: (caller: Caller) => SessionMethods
  currentSession: CurrentSession
  refresh: Refresh
  /** Preloads the refresh code; a sign-in does so before it redeems its code. */
  prepare(): Promise<unknown>
  /**
   * Asks whose the tokens of a sign-in are.
   * @throws SessionError `player_unknown` (retryable): the client keeps the tokens, and `resume()` continues.
   * @throws ProtocolError `missing_id_token` if the game requires one.
   */
  identify(verified: VerifiedTokens, signal?: AbortSignal): Promise<IdentifiedTokens>
  /** Makes them the session. */
  adopt(identified: IdentifiedTokens): Promise<Session>
  /**
   * Returns the caller's session with an unexpired token; refreshes it first if necessary. @throws SessionError `signed_out` if another
   * session took its place, and the errors of `refreshToken`.
   */
  getUsableRecord: (caller: Caller) => Promise<SessionRecord>
  /**
   * After a 401: returns the caller's session with another token than the refused one, or undefined if a refresh would not help, because
   * the last one is recent. @throws as `getUsableRecord`.
   */
  replaceRefused: (caller: Caller, refused: RefusedToken) => Promise<SessionRecord | undefined>
  /** The new token was accepted: the next 401 may be due to the token again. */
  confirmReplacement: () => void
  /** `caller`: the player who was signed in when the game signed out. No other player's session is revoked. */
  signOut(options: SignOutOptions, caller: Caller): Promise<SignOutResult>
}

export interface RefusedToken {
  /** True for a record that holds the refused token. */
  isOf: (record: SessionRecord) => boolean
  /** As for `Refresh`. */
  why?: { dead: true }
}
