/** Sessions of a client, in memory or in a store: sign-ins become sessions, which are refreshed, restored and ended. Loaded with the first session. */
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import { afterUnref } from '../../shared/foundation/clock'
import { randomText } from '../../shared/foundation/crypto'
import { createDeferred } from '../../shared/foundation/async'
import {
  AuthorizationError,
  ConfigurationError,
  type FoyerError,
  ProtocolError,
  SessionError,
} from '../../shared/foundation/errors'
import { isApplicationId, type UserId } from '../../shared/foundation/ids'
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import { reveal, type Secret } from '../../shared/foundation/secret'
import type { IdentifiedTokens } from '../../shared/tokens/identify-player'
import type { GivenVerifier, VerifiedTokens } from '../../shared/tokens/token-endpoint'
import type { TokenSet } from '../../shared/tokens/token-set'
import { loadAfterConsent, loadTokenCalls } from '../context/capabilities'
import type { Caller } from '../session/caller'
import type { ClientBase } from '../context/client-base'
import { CurrentSession, type SessionEnvironment } from '../session/current-session'
import {
  knowsUser,
  type Session,
  type SessionChange,
  type SessionRecord,
  storedKey,
  type StorageKey,
} from '../session/session'
import { refuseExtraScopes } from '../session/extra-scopes'
import type { Persist } from '../session/stored-session'
import type { GetToken } from '../session/token-store'
import {
  isExpired,
  type RefreshScheduler,
  startRefreshScheduler,
  Refresher,
  type RefreshReason,
} from '../session/refresh'
import type { RedeemOptions } from '../session/token-client'

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

export interface RefusedToken {
  /** True for a record that holds the refused token. */
  isOf: (record: SessionRecord) => boolean
  /** As for `Sessions.refresh`. */
  why?: RefreshReason
}

/** Time in ms after a refresh that a 401 has caused, in which another 401 is not attributed to the token: a refresh would not help. */
const RECENT_REFRESH = 30_000
/** ms before each further request for the player's names, counted from the one before. The next page, or the next refresh, begins anew. */
const NAME_DELAYS = [5000, 60_000, 600_000]

export class Sessions {
  readonly currentSession: CurrentSession
  readonly client: ClientBase
  /** Origin of the backend that holds the session, if one does. */
  readonly backendOrigin: string | undefined
  readonly #refresher: Refresher
  readonly #scheduler: RefreshScheduler
  /** Tokens of a consent whose player the service could not name yet. */
  #unidentified: VerifiedTokens | undefined
  /** The record whose token the last refresh after a 401 replaced. */
  #replaced: { id: string; epoch: number; at: number } | undefined
  /** The tokens whose player's names were asked for last, and how often. */
  #naming = { key: '', attempts: 0 }

  /** @param persist connects the session to a token store (`persistIn`). Default: it lives in memory. */
  constructor(client: ClientBase, environment: SessionEnvironment, persist?: Persist) {
    const { options, closeSignal, holds, log, emit } = client
    const { clock } = options
    this.client = client
    const currentSession = new CurrentSession({
      persist,
      environment,
      storageKey: storageKeyOf(options),
      clock,
      log,
      closeSignal,
      onChange: (change) => {
        this.#applyChange(change)
        this.#activate(currentSession.session)
      },
    })
    this.currentSession = currentSession
    const renew =
      this.getToken && (async (record: SessionRecord) => (await loadTokenCalls()).askForTokens(this, record))
    this.#refresher = new Refresher({
      ...options,
      currentSession,
      environment,
      tokenClient: client.tokenClient,
      closeSignal,
      renew,
    })
    this.#scheduler = startRefreshScheduler({
      currentSession,
      environment,
      refresh: (record) => this.refresh(record),
      canRefresh: (record) => this.canRefresh(record),
      closeSignal,
      clock: { now: () => clock.now(), after: (delay, callback) => afterUnref(clock, delay, callback) },
      held: () => holds.size > 0,
      expiring: (session) => emit('tokenExpiring', { session, expiresAt: session.tokens.expiresAt }),
    })
  }

  /** Brings new tokens for a session without a refresh token. */
  get getToken(): GetToken | undefined {
    return this.client.options.getToken
  }

  /** False for a session that nothing can refresh. */
  canRefresh({ tokens }: SessionRecord): boolean {
    return !!(tokens.refreshToken ?? this.getToken)
  }

  /** Exchanges a result's code for tokens. A second call for the same result reads the first response again and sends nothing. */
  async redeem(result: AuthorizationResult, options: RedeemOptions): Promise<VerifiedTokens> {
    return (await this.client.tokenClient()).redeem(result, options)
  }

  /** The tokens of a result, for a game that makes no session of them. */
  async getTokens(
    result: AuthorizationResult,
    codeVerifier: GivenVerifier | undefined,
    options: CallOptions | undefined,
  ): Promise<TokenSet> {
    const { signal } = checkOptions(options, ['signal'])
    return (await this.redeem(result, { codeVerifier, signal })).tokens
  }

  /** Adds the player to tokens. @throws SessionError `player_unknown` (retryable). */
  async identify(verified: VerifiedTokens, signal?: AbortSignal): Promise<IdentifiedTokens> {
    return (await this.client.tokenClient()).identify(verified, signal)
  }

  /**
   * The last step of a sign-in before its tokens are the session. Tokens of a consent that is spent are kept until it is done.
   * @throws SessionError `player_unknown` (retryable): the client keeps the tokens, and `resume()` continues.
   * @throws ProtocolError `missing_id_token` if the game requires one.
   */
  async identifySignIn(verified: VerifiedTokens, signal?: AbortSignal): Promise<IdentifiedTokens> {
    if (this.client.options.requireIdToken && !verified.tokens.claims)
      throw new ProtocolError('missing_id_token')
    // Kept before the request: a sign-out meanwhile drops them.
    this.#unidentified = verified
    const forget = () => {
      if (this.#unidentified === verified) this.#unidentified = undefined
    }
    return this.identify(verified, signal).then(
      (identified) => {
        forget()
        return identified
      },
      (error: FoyerError) => {
        if (!error.retryable) forget()
        throw error
      },
    )
  }

  /** Makes tokens the session. */
  async adopt(identified: IdentifiedTokens): Promise<Session> {
    const { client } = this
    client.invitation = undefined
    if (client.options.refuseExtraScopes) refuseExtraScopes(identified.tokens.scopes, identified.asked)
    return this.#activate(
      await this.currentSession.adopt(toRecord(client.options.service.issuer, identified)),
    )
  }

  /** Emits no events if there is no session. A session that another tab ends meanwhile is not restored. */
  async resume(): Promise<Session | null> {
    const { currentSession } = this
    const { authState } = this.client
    const unidentified = this.#unidentified
    if (unidentified && !authState.session)
      return authState.whileConnecting(
        () => this.identifySignIn(unidentified),
        (identified) => this.adopt(identified),
      )
    if (!authState.session) this.#activate(await currentSession.restore())
    if (!currentSession.session || authState.session) return authState.session
    return authState.whileConnecting(
      async () => undefined,
      async () => currentSession.session,
    )
  }

  /** True while the service has not said whose the tokens of a sign-in are. */
  protected get isIdentifying(): boolean {
    return this.#unidentified !== undefined
  }

  /** The lobbies that are kept beside the session of this player, as text. Never rejects. */
  async readLobbies(userId: UserId): Promise<string | undefined> {
    let kept: string | undefined
    const read = (text: string | undefined) => (kept = text)
    if (this.client.options.keepLobbies !== false)
      await this.currentSession.changeLobbies(userId, read).catch(() => undefined)
    return kept
  }

  /** Refreshes the caller's session, or redeems a refresh token of its own. */
  async refreshToken(
    caller: Caller,
    refreshToken: Secret | string | null | undefined,
    options: CallOptions | undefined,
  ): Promise<TokenSet> {
    const { signal } = checkOptions(options, ['signal'])
    const own = this.currentSession.record?.tokens.refreshToken?.reveal()
    if (refreshToken && reveal(refreshToken) !== own)
      return (await loadTokenCalls()).redeemRefreshToken(this.client, refreshToken, signal)
    // Other callers share the refresh; an abort releases this caller only.
    const pending = createDeferred<SessionRecord>(this.client.options.clock, {
      signals: [signal],
      makeError: (code) => new AuthorizationError(code),
    })
    const record = this.#requireCaller(caller)
    this.refresh(record).then(pending.resolve, pending.reject)
    const { userId, tokens } = await pending.promise
    if (userId !== record.userId) throw new SessionError('signed_out')
    return tokens
  }

  /** As `Refresher.refresh`. Sets the status `reconnecting` while an unusable token cannot be refreshed. */
  async refresh(record: SessionRecord, why?: RefreshReason): Promise<SessionRecord> {
    const { currentSession } = this
    if (why) currentSession.refused = record.tokens
    try {
      return await this.#refresher.refresh(record, why)
    } catch (error) {
      const { authState } = this.client
      const { session, record: current } = currentSession
      if (session && current?.id === record.id && (why || session.state !== 'fresh'))
        authState.set(authState.session, 'reconnecting')
      throw error
    }
  }

  /**
   * Returns the caller's session with an unexpired token; refreshes it first if necessary. @throws SessionError `signed_out` if another
   * session took its place, and the errors of `refreshToken`.
   */
  async getUsableRecord(caller: Caller): Promise<SessionRecord> {
    const record = this.#requireCaller(caller)
    // Without a refresh token, the expired token is sent anyway: this machine's clock may be wrong.
    if (!this.canRefresh(record) || !isExpired(record, this.client.options.clock.now())) return record
    return caller.requireOwn(await this.refresh(record))
  }

  /**
   * After a 401: returns the caller's session with another token than the refused one, or undefined if a refresh would not help, because
   * the last one is recent. @throws as `getUsableRecord`.
   */
  async replaceRefused(caller: Caller, { isOf, why }: RefusedToken): Promise<SessionRecord | undefined> {
    await this.currentSession.sync()
    const record = this.#requireCaller(caller)
    if (!isOf(record)) return record
    const now = this.client.options.clock.now()
    const { id, epoch } = record
    const before = this.#replaced
    const last = before?.id === id && Math.abs(now - before.at) < RECENT_REFRESH ? before.epoch : undefined
    // The refused token is the one that the last refresh brought.
    if (last !== undefined && epoch === last + 1) return undefined
    if (last !== epoch) this.#replaced = { id, epoch, at: now }
    return caller.requireOwn(await this.refresh(record, why))
  }

  /** The new token was accepted: the next 401 may be due to the token again. */
  confirmReplacement(): void {
    this.#replaced = undefined
  }

  /** Revokes a token at the service. `own`: the session that it is of. Default: another one, of this application. */
  async revoke(
    token: Secret | string,
    own: SessionRecord | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const clientId = own ? own.clientId : this.client.options.applicationId
    await (await loadTokenCalls()).revoke(this.client, token, { clientId, signal })
  }

  /** `caller`: the player who was signed in when the game signed out. No other player's session is revoked. */
  async signOut({ revoke, signal }: SignOutOptions, caller: Caller): Promise<SignOutResult> {
    const { client, currentSession } = this
    this.#unidentified = undefined
    if (revoke) await currentSession.restore()
    const { record: current } = currentSession
    // The session of another player, who signed in meanwhile, is not revoked.
    const record = caller.userId === undefined || caller.userId === current?.userId ? current : null
    const deleted = currentSession.end()
    // A sign-in of another tab may have been adopted since the last event.
    if (client.authState.session) client.authState.clear()
    const revoking = async () =>
      revoke && record ? (await loadTokenCalls()).revokeSession(client, record, signal) : { revoked: false }
    const [result] = await Promise.all([
      revoking().catch((error: FoyerError) => ({ revoked: false, error })),
      deleted,
    ])
    return result
  }

  /** @throws SessionError `signed_out` if the caller is not the current player, or the error that ended the session. */
  #requireCaller(caller: Caller): SessionRecord {
    return caller.requireOwn(this.currentSession.requireRecord())
  }

  #activate<T extends Session | null>(session: T): T {
    // Preloaded, so that a page can still refresh after a new deployment or a network failure.
    if (session) void loadAfterConsent().catch(() => undefined)
    this.#scheduler.reschedule()
    this.#askForNames()
    return session
  }

  /** Applies a change of the session to the client's state and emits its events. */
  #applyChange(change: SessionChange): void {
    const { authState, emit, closeSignal } = this.client
    if (closeSignal.aborted) return
    if (change.kind === 'ended') return authState.clear(change.error)
    const { session } = change
    const { session: previous } = authState
    if (change.kind === 'named') return previous ? authState.set(session, authState.status) : undefined
    // Before the first sign-in, or during a sign-out.
    if (!previous && change.kind !== 'found') return
    if (previous && change.kind === 'refreshed') {
      authState.session = session
      emit('tokenRefreshed', { session, previous, elsewhere: change.elsewhere })
      if (authState.session !== session) return
    }
    authState.set(session, 'ready')
  }

  /** Asks for names that the service has not told yet. Each request is for one player at a time. */
  #askForNames(): void {
    const { record } = this.currentSession
    const key = record ? `${record.id} ${record.epoch}` : ''
    if (this.#naming.key === key || !record || knowsUser(record)) return
    this.#naming = { key, attempts: 0 }
    this.#askLater()
  }

  #askLater(): void {
    const delay = NAME_DELAYS[this.#naming.attempts]
    this.#naming.attempts += 1
    if (delay !== undefined) afterUnref(this.client.options.clock, delay, () => void this.#askNow())
  }

  async #askNow(): Promise<void> {
    const { record } = this.currentSession
    const { options, closeSignal, tokenClient } = this.client
    if (!record || knowsUser(record) || closeSignal.aborted || isExpired(record, options.clock.now())) return
    const client = await tokenClient()
    const user = await client.fetchUser({ ...record, signal: closeSignal }).catch(() => undefined)
    if (user) await this.currentSession.keepUser(record.userId, user)
    else this.#askLater()
  }
}

/** Sessions in a store are shared by the clients of one issuer, application and profile. */
function storageKeyOf(options: ClientBase['options']): (adopted?: StorageKey['clientId']) => StorageKey {
  const own = randomText()
  return (adopted) => {
    const { applicationId, tokenStore, service } = options
    const { issuer } = service
    const clientId = applicationId && (adopted ?? applicationId)
    return { issuer, clientId, key: tokenStore ? storedKey(options, clientId) : `foyer:session:${own}` }
  }
}

function toRecord(issuer: string, identified: IdentifiedTokens): SessionRecord {
  const { tokens, clientId, asked, obtainedAt, userId, user } = identified
  if (!isApplicationId(clientId)) throw new ConfigurationError('missing_application_id')
  return {
    id: randomText(),
    epoch: 0,
    issuer,
    clientId,
    userId,
    tokens,
    asked,
    obtainedAt,
    user,
    idTokenAt: undefined,
  }
}
