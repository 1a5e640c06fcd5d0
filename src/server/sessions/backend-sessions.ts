/** Sessions that a backend holds: found by a sealed cookie, stored sealed, and refreshed once for all processes. */
import { pause } from '../../shared/foundation/in-time'
import { base64url, randomText, sha256 } from '../../shared/foundation/crypto'
import type { Clock } from '../../shared/foundation/clock'
import { AuthorizationError, SessionError } from '../../shared/foundation/errors'
import { type ApplicationId, isUserId, type UserId } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import { readJson } from '../../shared/foundation/untrusted-values'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { BackendCaller } from '../budget/backend-caller'
import { type StoreKey, type StoreKind, storeKey } from '../keys/store-key'
import type { ApplicationTokens } from './application-tokens'
import {
  type BackendSessionRecord,
  decodeBackendSession,
  encodeBackendSession,
} from './backend-session-record'
import { SessionLock } from './session-lock'
import type { Seal } from './sealed-text'
import type { SessionStore } from './session-store'

/** ms between two attempts to write a record. */
const RETRY = 50
/** ms in which a record with new tokens is written, for a store that restarts. The old refresh token is spent. */
const WRITE_TIME = 10_000
/** ms for which the previous cookie is accepted after the newest has come back: for requests that were on their way. */
const OVERLAP = 60_000
/** Part of its life, and ms at most, before its end from which an access token is replaced. */
const MARGIN = { part: 0.25, most: 60_000 }
/** ms for which the end of a session is remembered: longer than a refresh of it may take. */
const ENDED_TTL = 3_600_000
const ENDED = 'ended'
/** The browser has begun another session since. */
const REPLACED = 'replaced'
/** Beyond the life of every session, so that a mark outlives all that it ends. */
const MARK_TTL = 400 * 24 * 3_600_000

export interface BackendSessionsOptions {
  readonly store: SessionStore
  readonly seal: Seal
  readonly applicationId: ApplicationId
  /** Requests for tokens that this caller causes. */
  readonly tokensFor: (caller: BackendCaller) => Pick<ApplicationTokens, 'refresh'>
  readonly log: Log
  /** Tokens of the provisional account of a player whose refresh token was refused. Undefined if there is none. */
  readonly recover?: ((userId: UserId) => Promise<Recovered | undefined>) | undefined
  readonly clock: Clock
  /** ms after its last use until a session ends. */
  readonly maxAge: number
}

/** Tokens, and whose they are. */
export interface Recovered {
  readonly userId: UserId
  readonly tokens: TokenSet
}

/** A session found by its cookie. */
export interface FoundSession {
  readonly id: string
  readonly record: BackendSessionRecord
  /** Number of the cookie that found it. */
  readonly turn?: number | undefined
}

export class BackendSessions {
  readonly #options: BackendSessionsOptions
  readonly #lock: SessionLock

  constructor(options: BackendSessionsOptions) {
    this.#options = options
    this.#lock = new SessionLock(options)
  }

  /** Begins a session under a new id, whatever cookie the browser had. */
  async begin(
    session: Pick<BackendSessionRecord, 'userId' | 'tokens' | 'isEmbedded' | 'idTokenEnds'>,
  ): Promise<FoundSession> {
    const mark = (await this.#options.store.get(this.#markKey(session.userId))) ?? ''
    const now = this.#options.clock.now()
    const record = {
      ...session,
      mark,
      turn: 0,
      seen: -1,
      seenBefore: -1,
      seenAt: now,
      epoch: 0,
      issuedAt: now,
    }
    const found = { id: randomText(), record }
    await this.#write(found)
    return found
  }

  /** The value of the session's cookie. */
  cookieOf({ id, record: { turn, userId } }: FoundSession): Promise<string> {
    return this.#options.seal.seal(this.#cookiePlace, JSON.stringify([id, turn, userId]))
  }

  /**
   * Finds the session of a cookie. A cookie that comes back a minute after a newer one came back, or after two newer ones did, was copied: the
   * session ends, for its thief too. Of a newer one that never came back, the answer was lost.
   * @throws NetworkError `connection_failed` while the store is unavailable.
   */
  async find(cookie: string | undefined): Promise<FoundSession | undefined> {
    const { id, turn } = await this.#readCookie(cookie)
    const record = id === undefined ? undefined : await this.#read(id)
    if (id === undefined || !record) return undefined
    if (isCopied(turn, record, this.#options.clock.now())) {
      await this.remove(id)
      return undefined
    }
    if (turn <= record.seen) return { id, record, turn }
    const isThere = await this.#locked(id, async () => {
      const current = await this.#read(id)
      if (!current || turn <= current.seen) return current !== undefined
      return this.#update(() => this.#write({ id, record: { ...current, ...this.#seen(turn, current) } }), id)
    })
    return isThere ? { id, turn, record: { ...record, ...this.#seen(turn, record) } } : undefined
  }

  /** The id in a cookie, and the player who had the session: also of a session that has ended. */
  async ownerOf(cookie: string): Promise<{ id: string | undefined; userId: UserId | undefined }> {
    const { id, userId } = await this.#readCookie(cookie)
    return { id, userId }
  }

  /** The session as it is now. Undefined if it has ended since it was found, or belongs to another player. */
  async current({ id, record: { userId } }: FoundSession): Promise<FoundSession | undefined> {
    const record = await this.#read(id)
    return record?.userId === userId ? { id, record } : undefined
  }

  /** True if the browser of this session has begun another one since. */
  async isReplaced(id: string): Promise<boolean> {
    return (await this.#options.store.get(this.#endedKey(id))) === REPLACED
  }

  /**
   * Returns the session with other tokens than the refused ones, or with tokens that last. Refreshes it once for all callers.
   * @throws SessionError `refresh_rejected`: the session has ended. @throws the other errors of `tokens.refresh`: it stays.
   * @throws RateLimitError `rate_limited` if tokens that last were refused too often.
   */
  async renewed(
    { id, record }: FoundSession,
    isRefused: (record: BackendSessionRecord) => boolean,
  ): Promise<FoundSession> {
    if (this.#isUsable(record) && !isRefused(record)) return { id, record }
    return this.#locked(id, async () => {
      const current = await this.#read(id)
      if (!current) throw new SessionError('refresh_rejected')
      if (!this.#isUsable(current)) return this.#refresh({ id, record: current }, { kind: 'session' })
      if (!isRefused(current)) return { id, record: current }
      return this.#refresh({ id, record: current }, { kind: 'refused', id: current.userId })
    })
  }

  /** Ends a session. A refresh that is on its way does not bring it back: see `#update`. */
  async remove(id: string): Promise<void> {
    // A late end of it does not hide that it was replaced.
    if (!(await this.isReplaced(id))) await this.#end(id, ENDED)
  }

  /** Ends a session, since its browser begins another one: what was asked with its cookie sets no cookie any more. */
  replace(id: string): Promise<void> {
    return this.#end(id, REPLACED)
  }

  async #end(id: string, how: string): Promise<void> {
    const { store } = this.#options
    await store.set(this.#endedKey(id), how, ENDED_TTL)
    await store.delete(this.#recordKey(id))
  }

  /** Ends all sessions of a player: each holds the mark that was valid when it began. */
  async endAll(userId: string): Promise<void> {
    await this.#options.store.set(this.#markKey(userId), randomText(), MARK_TTL)
  }

  #isUsable({ tokens, issuedAt }: BackendSessionRecord): boolean {
    const margin = Math.min(MARGIN.most, (tokens.expiresAt - issuedAt) * MARGIN.part)
    return tokens.expiresAt - margin > this.#options.clock.now()
  }

  #seen(
    turn: number,
    { seen: seenBefore }: BackendSessionRecord,
  ): Pick<BackendSessionRecord, 'seen' | 'seenBefore' | 'seenAt'> {
    return { seen: turn, seenBefore, seenAt: this.#options.clock.now() }
  }

  async #refresh({ id, record }: FoundSession, caller: BackendCaller): Promise<FoundSession> {
    const { refreshToken } = record.tokens
    if (!refreshToken) return this.#recover({ id, record })
    try {
      const tokens = await this.#options.tokensFor(caller).refresh(refreshToken)
      const { idTokenEnds: _, ...kept } = record
      const next = {
        ...kept,
        tokens: merge(record.tokens, tokens),
        ...endOfIdToken(tokens),
        issuedAt: this.#options.clock.now(),
        epoch: record.epoch + 1,
        turn: record.turn + 1,
      }
      if (tokens.claims && tokens.claims.sub !== record.userId) return await this.#reject(id)
      if (!(await this.#update(() => this.#writeSurely({ id, record: next }), id)))
        throw new SessionError('signed_out')
      return { id, record: next }
    } catch (error) {
      if (error instanceof AuthorizationError && error.code === 'invalid_grant')
        return this.#recover({ id, record })
      throw error
    }
  }

  /** The account that the player had before (docs/interface/accounts.md#provisional-accounts), or the end of the session. */
  async #recover({ id, record }: FoundSession): Promise<FoundSession> {
    const { recover, store, clock } = this.#options
    const recovered = await recover?.(record.userId)
    if (!recovered) return this.#reject(id)
    const { userId, tokens } = recovered
    const mark = (await store.get(this.#markKey(userId))) ?? ''
    const { idTokenEnds: _, ...kept } = record
    const raised = { turn: record.turn + 1, epoch: record.epoch + 1, issuedAt: clock.now() }
    const next = { ...kept, userId, mark, tokens, ...endOfIdToken(tokens), ...raised }
    if (!(await this.#update(() => this.#writeSurely({ id, record: next }), id)))
      throw new SessionError('signed_out')
    // Read last: whoever ended the sessions of the player meanwhile did not know of another account.
    if (await this.#isEnded(record)) return this.#reject(id)
    return { id, record: next }
  }

  /** True if all sessions of this player were ended since. */
  async #isEnded({ userId, mark }: BackendSessionRecord): Promise<boolean> {
    const current = await this.#options.store.get(this.#markKey(userId))
    return current !== undefined && current !== mark
  }

  /** Writes the record of a session. Resolves with false, and leaves none, if it has ended meanwhile. */
  async #update(write: () => Promise<void>, id: string): Promise<boolean> {
    await write()
    const isThere = (await this.#options.store.get(this.#endedKey(id))) === undefined
    if (!isThere) await this.#options.store.delete(this.#recordKey(id))
    return isThere
  }

  async #reject(id: string): Promise<never> {
    await this.remove(id)
    throw new SessionError('refresh_rejected')
  }

  async #read(id: string): Promise<BackendSessionRecord | undefined> {
    const { store, seal, log } = this.#options
    const place = this.#recordKey(id)
    const [sealed, ended] = await Promise.all([store.get(place), store.get(this.#endedKey(id))])
    if (sealed === undefined || ended !== undefined) return undefined
    const text = await seal.open(place, sealed)
    // Sealed by a key that was removed, or for another place: nobody has a use for it.
    if (text === undefined) log('warn', 'session.record_rejected')
    const record = decodeBackendSession(text)
    return record && !(await this.#isEnded(record)) ? record : undefined
  }

  async #write({ id, record }: FoundSession): Promise<void> {
    const { store, seal, maxAge } = this.#options
    const place = this.#recordKey(id)
    await store.set(place, await seal.seal(place, encodeBackendSession(record)), maxAge)
  }

  /** Tokens of a refresh cannot be had twice: the write is repeated while the store restarts. */
  async #writeSurely(session: FoundSession): Promise<void> {
    const { clock } = this.#options
    const end = clock.now() + WRITE_TIME
    for (;;) {
      try {
        return await this.#write(session)
      } catch (error) {
        if (clock.now() >= end) throw error
        await this.#pause()
      }
    }
  }

  #locked<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#lock.run(this.#key('lock', hashOf(id)), work)
  }

  async #pause(): Promise<void> {
    await pause(this.#options.clock, RETRY)
  }

  async #readCookie(cookie: string | undefined): Promise<CookieValue> {
    return readCookieValue(cookie && (await this.#options.seal.open(this.#cookiePlace, cookie)))
  }

  #key(of: StoreKind, id: string): StoreKey {
    return storeKey(this.#options.applicationId, of, id)
  }

  #recordKey(id: string): StoreKey {
    return this.#key('session', hashOf(id))
  }

  #endedKey(id: string): StoreKey {
    return this.#key('ended', hashOf(id))
  }

  #markKey(userId: string): StoreKey {
    return this.#key('end', userId)
  }

  get #cookiePlace(): StoreKey {
    return this.#key('session', 'cookie')
  }
}

/** The store does not learn ids: with them, cookies could be made by whoever has a key. */
const hashOf = (id: string): string => base64url(sha256(id))

/** Two newer cookies, or one that is not new any more, have come back: the one who has them is not the one who has this. */
const isCopied = (turn: number, { seen, seenBefore, seenAt }: BackendSessionRecord, now: number): boolean =>
  turn < seenBefore || (turn < seen && now - seenAt > OVERLAP)

interface CookieValue {
  readonly id?: string | undefined
  readonly turn: number
  readonly userId?: UserId | undefined
}

function readCookieValue(text: string | undefined): CookieValue {
  const value = readJson(text ?? '')
  const [id, turn, userId] = Array.isArray(value) ? value : []
  if (typeof id !== 'string' || typeof turn !== 'number') return { turn: 0 }
  return { id, turn, ...(isUserId(userId) && { userId }) }
}

/** An ID token belongs to the access token that it came with. */
function merge({ refreshToken, scopes }: TokenSet, tokens: TokenSet): TokenSet {
  return {
    ...(refreshToken && { refreshToken }),
    ...tokens,
    scopes: tokens.scopes.length > 0 ? tokens.scopes : scopes,
  }
}

export function endOfIdToken({ claims }: TokenSet): { idTokenEnds?: number } {
  return claims ? { idTokenEnds: claims.exp * 1000 } : {}
}
