/** Keeps a session in its token store as one string, with timeouts, and validates it as untrusted input when it is read. Errors of a store never break the session. */
import type { Clock } from '../../shared/foundation/clock'
import { createDeferred } from '../../shared/foundation/async'
import { ConfigurationError, type SessionErrorCode } from '../../shared/foundation/errors'
import { isApplicationId, isUserId, type UserId } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import { Secret } from '../../shared/foundation/secret'
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import { isSessionUser } from '../../shared/tokens/session-user'
import type { IdTokenClaims, TokenSet } from '../../shared/tokens/token-set'
import type { RecordOwner, RefreshAttempt, SessionRecord, StorageKey, Stored } from './session'
import type { TokenStore } from './token-store'

/** Timeout of a store operation in ms. */
const TIMEOUT = 3000

interface PersistenceOptions {
  store: TokenStore
  /** Notifies other tabs that the record of this key has changed. */
  announce: (key: string) => void
  storageKey: () => StorageKey
  clock: Clock
  log: Log
}

/** Computes a text from the stored one; undefined deletes it. */
export type ChangeText = (text: string | undefined) => string | undefined

/** Connects a session to its token store. */
export type Persist = (options: Omit<PersistenceOptions, 'store'>) => SessionPersistence

/**
 * Returns what connects a session to this store; undefined without one.
 * @throws ConfigurationError `invalid_argument` for a store without the methods of one.
 */
export function persistIn(store: TokenStore | undefined): Persist | undefined {
  if (store && typeof store.delete !== 'function')
    throw new ConfigurationError('invalid_argument', 'tokenStore', {
      remedy: 'Give a store, for example indexedDbStore()',
    })
  return store && ((options) => new SessionPersistence({ ...options, store }))
}

export class SessionPersistence {
  readonly #options: PersistenceOptions
  #lastWritten = false

  constructor(options: PersistenceOptions) {
    this.#options = options
  }

  /** True if the last operation of the store succeeded. */
  get lastWritten(): boolean {
    return this.#lastWritten
  }

  async read(): Promise<Stored> {
    const { store } = this.#options
    const storageKey = this.#options.storageKey()
    try {
      const stored = decodeStored(await this.#withTimeout(() => store.get(storageKey.key)), storageKey)
      this.#lastWritten = stored !== 'foreign'
      return stored
    } catch (error) {
      return this.#failed('get', error)
    }
  }

  /** Writes a record. `aged`: the record, if its epoch has changed. */
  write(record: SessionRecord, aged?: SessionRecord): Promise<void> {
    return this.#write(encodeRecord(record), aged)
  }

  /** Marks the session with this id as ended, and forgets the lobbies of its player. */
  async writeEnd(id: string, why: SessionErrorCode): Promise<void> {
    await this.#write(encodeEnd(id, why))
    await this.changeLobbies(() => undefined)
  }

  /** Changes the list of lobbies that is kept beside the record. */
  async changeLobbies(change: ChangeText): Promise<void> {
    const { store } = this.#options
    const key = `${this.#options.storageKey().key} lobbies`
    try {
      const text = await this.#withTimeout(() => store.get(key))
      const next = change(text)
      if (next === undefined && text !== undefined) await this.#withTimeout(() => store.delete(key))
      else if (next !== undefined && next !== text) await this.#withTimeout(() => store.set(key, next))
    } catch (error) {
      this.#report('lobbies', error)
    }
  }

  /** The epoch is stored under a second key: a record with a lower epoch means that the store was reset to an older state. */
  async isOlder({ id, epoch }: SessionRecord): Promise<boolean> {
    const storedEpoch = await this.#withTimeout(async () => this.#options.store.get(this.#epochKey)).catch(
      () => undefined,
    )
    const [storedId, epochValue] = storedEpoch?.split(' ') ?? []
    return storedId === id && Number(epochValue) > epoch
  }

  get #epochKey(): string {
    return `${this.#options.storageKey().key} epoch`
  }

  async #write(text: string, aged?: SessionRecord): Promise<void> {
    const { store, announce } = this.#options
    const { key } = this.#options.storageKey()
    try {
      await this.#withTimeout(() => store.set(key, text))
      this.#lastWritten = true
      if (aged)
        await this.#withTimeout(() => store.set(this.#epochKey, `${aged.id} ${aged.epoch}`)).catch(
          () => undefined,
        )
      announce(key)
    } catch (error) {
      this.#failed('set', error)
      // A refresh token that is about to be used must not be found by the next page.
      await this.#withTimeout(() => store.delete(key)).catch(() => undefined)
    }
  }

  #failed(operation: string, error: unknown): undefined {
    this.#lastWritten = false
    this.#report(operation, error)
  }

  #report(operation: string, error: unknown): void {
    this.#options.log('warn', 'session.store_failed', {
      operation,
      name: error instanceof Error ? error.name : 'unknown',
    })
  }

  async #withTimeout<T>(work: () => Promise<T>): Promise<T> {
    const pending = createDeferred<T>(this.#options.clock, {
      timeout: TIMEOUT,
      signals: [],
      makeError: timeoutError,
    })
    // A store that is not asynchronous, or lacks the method, throws here.
    new Promise<T>((resolve) => resolve(work())).then(pending.resolve, pending.reject)
    return pending.promise
  }
}

const timeoutError = (): Error => new ConfigurationError('unsupported', 'tokenStore')

const VERSION = 1
/** Reasons that end a session for all tabs. */
const ENDS: readonly SessionErrorCode[] = [
  'signed_out',
  'refresh_rejected',
  'refresh_answer_lost',
  'token_rolled_back',
]
const OUTCOMES: readonly RefreshAttempt['outcome'][] = ['sent', 'lost', 'refused']
const MAX_LENGTH = 128 * 1024
const ID = /^[\w-]{43}$/
/** As long as a token response may have. */
const TOKEN = /^[!-~]{1,16384}$/
const SCOPE = /^[!#-[\]-~]{1,4096}$/

export function encodeRecord({ tokens, ...fields }: SessionRecord): string {
  const { accessToken, refreshToken, idToken, claims, scopes, expiresAt } = tokens
  return JSON.stringify({
    v: VERSION,
    ...fields,
    claims,
    expiresAt,
    scopes,
    accessToken: accessToken.reveal(),
    refreshToken: refreshToken?.reveal(),
    idToken: idToken?.reveal(),
  })
}

/** Serializes the end of a session. It distinguishes a sign-out from a store that was cleared. */
export function encodeEnd(id: string, why: SessionErrorCode): string {
  return JSON.stringify({ v: VERSION, ended: id, why })
}

/** Undefined for an invalid record, and for a record of another service or application. */
export function decodeStored(text: string | undefined, owner: RecordOwner): Stored {
  const value = parse(text)
  if (!isRecord(value)) return undefined
  if (typeof value['v'] === 'number' && value['v'] > VERSION) return 'foreign'
  if (value['v'] !== VERSION) return undefined
  if (isText(value['ended'], ID))
    return { ended: value['ended'], why: ENDS.find((code) => code === value['why']) ?? 'signed_out' }
  const record = decodeRecord(value)
  return record && belongsTo(record, owner) ? { record } : undefined
}

function belongsTo(record: SessionRecord, { issuer, clientId }: RecordOwner): boolean {
  return record.issuer === issuer && (clientId === undefined || record.clientId === clientId)
}

function decodeRecord(value: Readonly<Record<string, unknown>>): SessionRecord | undefined {
  const { id, epoch, issuer, clientId, userId, asked, obtainedAt, attempt, user, idTokenAt } = value
  const isValid =
    isText(id, ID) &&
    isCount(epoch) &&
    Number.isInteger(epoch) &&
    isApplicationId(clientId) &&
    isUserId(userId) &&
    isStrings(asked)
  if (!isValid || !isCount(obtainedAt) || typeof issuer !== 'string') return undefined
  const tokens = decodeTokens(value, userId)
  const decodedAttempt = decodeAttempt(attempt)
  if (!tokens || (attempt !== undefined && !decodedAttempt)) return undefined
  return {
    id,
    epoch,
    issuer,
    clientId,
    userId,
    asked,
    obtainedAt,
    tokens,
    attempt: decodedAttempt,
    ...(isSessionUser(user) && { user }),
    idTokenAt: isCount(idTokenAt) ? idTokenAt : undefined,
  }
}

function decodeTokens(value: Readonly<Record<string, unknown>>, userId: UserId): TokenSet | undefined {
  const { accessToken, refreshToken, idToken, scopes, expiresAt, claims } = value
  if (!isText(accessToken, TOKEN) || !isOptional(refreshToken) || !isOptional(idToken)) return undefined
  if (!isStrings(scopes) || !isCount(expiresAt) || !(claims === undefined || isClaims(claims, userId)))
    return undefined
  return {
    accessToken: new Secret(accessToken),
    tokenType: 'Bearer',
    expiresAt,
    scopes,
    ...(refreshToken !== undefined && { refreshToken: new Secret(refreshToken) }),
    ...(idToken !== undefined && { idToken: new Secret(idToken) }),
    ...(claims && { claims }),
  }
}

function decodeAttempt(value: unknown): RefreshAttempt | undefined {
  if (!isRecord(value)) return undefined
  const { at, tries, retryAt } = value
  const outcome = OUTCOMES.find((known) => known === value['outcome'])
  return outcome && isCount(at) && isCount(tries) && isCount(retryAt)
    ? { at, tries, outcome, retryAt }
    : undefined
}

function isClaims(value: unknown, userId: UserId): value is IdTokenClaims {
  return isRecord(value) && value['sub'] === userId
}

function parse(text: string | undefined): unknown {
  try {
    return text && text.length <= MAX_LENGTH && JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Not always an integer: some clocks return fractions of a millisecond, some services fractions of a second. */
const isCount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0

const isOptional = (value: unknown): value is string | undefined =>
  value === undefined || isText(value, TOKEN)

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 4096 && value.every((text) => isText(text, SCOPE))
