/** Reads and writes a session in its token store, with timeouts. Errors of a store never break the session. */
import type { Clock } from '../../shared/foundation/clock'
import { ConfigurationError, type SessionErrorCode } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import { createDeferred } from '../../shared/foundation/async'
import {
  decodeStored,
  encodeEnd,
  encodeRecord,
  type RecordOwner,
  type SessionRecord,
  type Stored,
} from './session-record'
import type { TokenStore } from './token-store'
import type { SessionEnvironment } from './session-environment'

/** Timeout of a store operation in ms. */
const TIMEOUT = 3000

/** Key of a session in the store, and the session's owner. */
export interface StorageKey extends RecordOwner {
  readonly key: string
}

export interface PersistenceOptions {
  store: TokenStore
  environment: SessionEnvironment
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
    const { store, environment } = this.#options
    const { key } = this.#options.storageKey()
    try {
      await this.#withTimeout(() => store.set(key, text))
      this.#lastWritten = true
      if (aged)
        await this.#withTimeout(() => store.set(this.#epochKey, `${aged.id} ${aged.epoch}`)).catch(
          () => undefined,
        )
      environment.announce(key)
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
