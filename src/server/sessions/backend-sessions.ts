/** Sessions that a backend holds: found by a sealed cookie, stored sealed, and refreshed once for all processes. */
import { base64url, randomText, sha256 } from '../../shared/foundation/crypto'
import type { Clock } from '../../shared/foundation/clock'
import { AuthorizationError, NetworkError, SessionError } from '../../shared/foundation/errors'
import type { UserId } from '../../shared/foundation/ids'
import { readJson } from '../../shared/foundation/untrusted-values'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { ApplicationTokens } from './application-tokens'
import { type BackendSessionRecord, decodeBackendSession, encodeBackendSession } from './backend-session-record'
import { PlayerBudget } from './player-budget'
import type { Seal } from './sealed-text'
import type { SessionStore } from './session-store'

/** ms that one process may hold the lock of a session: longer than a refresh takes. */
const LOCK_TTL = 20_000
/** ms between two attempts to take a lock, or to write a record. */
const RETRY = 50
/** Attempts to write a record with new tokens: 10 s for a store that restarts. The old refresh token is spent. */
const WRITES = 200
/** ms for which the previous cookie is accepted after the newest has come back: for requests that were on their way. */
const OVERLAP = 60_000
/** ms before its end from which an access token is replaced. */
const MARGIN = 60_000
/** ms for which the end of a session is remembered: longer than a refresh of it may take. */
const ENDED_TTL = 3_600_000
const ENDED = 'ended'
/** Tokens that last and were refused: a page says so, and nobody can check it. */
const REFUSALS = { name: 'refused_tokens', burst: 5, interval: 30_000 }
/** Beyond the life of every session, so that a mark outlives all that it ends. */
const MARK_TTL = 400 * 24 * 3_600_000

export interface BackendSessionsOptions {
  readonly store: SessionStore
  readonly seal: Seal
  readonly tokens: Pick<ApplicationTokens, 'refresh'>
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
  readonly #refusals: PlayerBudget

  constructor(options: BackendSessionsOptions) {
    this.#options = options
    this.#refusals = new PlayerBudget(options.clock, REFUSALS)
  }

  /** Begins a session under a new id, whatever cookie the browser had. */
  async begin(session: Pick<BackendSessionRecord, 'userId' | 'tokens' | 'isEmbedded' | 'idTokenEnds'>): Promise<FoundSession> {
    const mark = (await this.#options.store.get(markKey(session.userId))) ?? ''
    const found = { id: randomText(), record: { ...session, mark, turn: 0, epoch: 0 } }
    await this.#write(found)
    return found
  }

  /** The value of the session's cookie. */
  cookieOf({ id, record: { turn } }: FoundSession): Promise<string> {
    return this.#options.seal.seal('cookie', JSON.stringify([id, turn]))
  }

  /**
   * Finds the session of a cookie. A cookie that was replaced and comes back later was copied: the session ends, for its thief too.
   * @throws NetworkError `connection_failed` while the store is unavailable.
   */
  async find(cookie: string | undefined): Promise<FoundSession | undefined> {
    const [id, turn] = readCookieValue(cookie && (await this.#options.seal.open('cookie', cookie)))
    const record = id === undefined ? undefined : await this.#read(id)
    if (id === undefined || !record) return undefined
    const age = this.#options.clock.now() - (record.seenAt ?? Number.POSITIVE_INFINITY)
    if (turn < record.turn - 1 || (turn < record.turn && age > OVERLAP)) {
      await this.remove(id)
      return undefined
    }
    if (turn < record.turn || record.seenAt !== undefined) return { id, record, turn }
    const seen = { id, turn, record: { ...record, seenAt: this.#options.clock.now() } }
    const isThere = await this.#locked(id, async () => {
      const current = await this.#read(id)
      if (current?.turn !== record.turn) return current !== undefined
      return this.#update(() => this.#write({ id, record: { ...current, seenAt: seen.record.seenAt } }), id)
    })
    return isThere ? seen : undefined
  }

  /**
   * Returns the session with other tokens than the refused ones, or with tokens that last. Refreshes it once for all callers.
   * @throws SessionError `refresh_rejected`: the session has ended. @throws the other errors of `tokens.refresh`: it stays.
   * @throws RateLimitError `rate_limited` if tokens that last were refused too often.
   */
  async renewed({ id, record }: FoundSession, isRefused: (record: BackendSessionRecord) => boolean): Promise<FoundSession> {
    if (this.#isUsable(record) && !isRefused(record)) return { id, record }
    return this.#locked(id, async () => {
      const current = await this.#read(id)
      if (!current) throw new SessionError('refresh_rejected')
      if (this.#isUsable(current)) {
        if (!isRefused(current)) return { id, record: current }
        this.#refusals.require(current.userId)
      }
      return this.#refresh({ id, record: current })
    })
  }

  /** Ends a session. A refresh that is on its way does not bring it back: see `#update`. */
  async remove(id: string): Promise<void> {
    const { store } = this.#options
    await store.set(endedKey(id), ENDED, ENDED_TTL)
    await store.delete(recordKey(id))
  }

  /** Ends all sessions of a player: each holds the mark that was valid when it began. */
  async endAll(userId: string): Promise<void> {
    await this.#options.store.set(markKey(userId), randomText(), MARK_TTL)
  }

  #isUsable({ tokens }: BackendSessionRecord): boolean {
    return tokens.expiresAt - MARGIN > this.#options.clock.now()
  }

  async #refresh({ id, record }: FoundSession): Promise<FoundSession> {
    const { refreshToken } = record.tokens
    if (!refreshToken) return this.#recover({ id, record })
    try {
      const tokens = await this.#options.tokens.refresh(refreshToken)
      const { idTokenEnds: _, seenAt: __, ...kept } = record
      const next = {
        ...kept,
        tokens: merge(record.tokens, tokens),
        ...endOfIdToken(tokens),
        epoch: record.epoch + 1,
        turn: record.turn + 1,
      }
      if (tokens.claims && tokens.claims.sub !== record.userId) return await this.#reject(id)
      if (!(await this.#update(() => this.#writeSurely({ id, record: next }), id))) throw new SessionError('signed_out')
      return { id, record: next }
    } catch (error) {
      if (error instanceof AuthorizationError && error.code === 'invalid_grant') return this.#recover({ id, record })
      throw error
    }
  }

  /** The account that the player had before (docs/interface/accounts.md#provisional-accounts), or the end of the session. */
  async #recover({ id, record }: FoundSession): Promise<FoundSession> {
    const { recover, store } = this.#options
    const recovered = await recover?.(record.userId)
    if (!recovered) return this.#reject(id)
    const { userId, tokens } = recovered
    const mark = (await store.get(markKey(userId))) ?? ''
    const { isEmbedded, turn, epoch } = record
    const next = { userId, mark, tokens, isEmbedded, ...endOfIdToken(tokens), turn: turn + 1, epoch: epoch + 1 }
    if (!(await this.#update(() => this.#writeSurely({ id, record: next }), id))) throw new SessionError('signed_out')
    return { id, record: next }
  }

  /** Writes the record of a session. Resolves with false, and leaves none, if it has ended meanwhile. */
  async #update(write: () => Promise<void>, id: string): Promise<boolean> {
    await write()
    const isThere = (await this.#options.store.get(endedKey(id))) === undefined
    if (!isThere) await this.#options.store.delete(recordKey(id))
    return isThere
  }

  async #reject(id: string): Promise<never> {
    await this.remove(id)
    throw new SessionError('refresh_rejected')
  }

  async #read(id: string): Promise<BackendSessionRecord | undefined> {
    const { store, seal } = this.#options
    const [sealed, ended] = await Promise.all([store.get(recordKey(id)), store.get(endedKey(id))])
    const record = sealed === undefined || ended !== undefined ? undefined : decodeBackendSession(await seal.open('record', sealed))
    const mark = record && (await store.get(markKey(record.userId)))
    return mark === undefined || mark === record?.mark ? record : undefined
  }

  async #write({ id, record }: FoundSession): Promise<void> {
    const { store, seal, maxAge } = this.#options
    await store.set(recordKey(id), await seal.seal('record', encodeBackendSession(record)), maxAge)
  }

  /** Tokens of a refresh cannot be had twice: the write is repeated while the store restarts. */
  async #writeSurely(session: FoundSession): Promise<void> {
    for (let writes = 1; ; writes++) {
      try {
        return await this.#write(session)
      } catch (error) {
        if (writes >= WRITES) throw error
        await this.#pause()
      }
    }
  }

  async #locked<T>(id: string, work: () => Promise<T>): Promise<T> {
    const { store } = this.#options
    const [key, owner] = [`lock:${recordKey(id)}`, randomText()]
    for (let attempts = 0; !(await store.lock(key, owner, LOCK_TTL)); attempts++) {
      if (attempts * RETRY > LOCK_TTL) throw new NetworkError('timed_out', 'store')
      await this.#pause()
    }
    try {
      return await work()
    } finally {
      await store.unlock(key, owner).catch(() => undefined)
    }
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => void this.#options.clock.after(RETRY, resolve))
  }
}

/** The store does not learn ids: with them, cookies could be made by whoever has a key. */
const recordKey = (id: string): string => `session:${base64url(sha256(id))}`
const endedKey = (id: string): string => `ended:${base64url(sha256(id))}`
const markKey = (userId: string): string => `end:${userId}`

function readCookieValue(text: string | undefined): [id: string | undefined, turn: number] {
  const value = readJson(text ?? '')
  const [id, turn] = Array.isArray(value) ? value : []
  return typeof id === 'string' && typeof turn === 'number' ? [id, turn] : [undefined, 0]
}

/** An ID token belongs to the access token that it came with. */
function merge({ refreshToken, scopes }: TokenSet, tokens: TokenSet): TokenSet {
  return { ...(refreshToken && { refreshToken }), ...tokens, scopes: tokens.scopes.length > 0 ? tokens.scopes : scopes }
}

export function endOfIdToken({ claims }: TokenSet): { idTokenEnds?: number } {
  return claims ? { idTokenEnds: claims.exp * 1000 } : {}
}
