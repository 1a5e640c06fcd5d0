/** Where one session stands in its store: read and written within a time, and nothing a store does breaks the session. */
import type { Clock } from '../../foundation/clock'
import { ConfigurationError } from '../../foundation/errors'
import type { Log } from '../../foundation/log'
import { createDeferred } from '../../foundation/deferred'
import { decodeStored, type RecordOwner, type SessionRecord, type Stored } from './record'
import type { TokenStore } from './token-store'
import type { SessionEnvironment } from './environment'

/** ms that a store may take. */
const TIMEOUT = 3000

/** A place in a store, and the owner of the session in it. */
export interface StorageKey extends RecordOwner {
  readonly key: string
}

export interface PersistenceOptions {
  /** Undefined: memory is enough. */
  store: TokenStore | undefined
  environment: SessionEnvironment
  place: () => StorageKey
  clock: Clock
  log: Log
}

export class SessionPersistence {
  readonly #options: PersistenceOptions
  #lastWritten = false

  constructor(options: PersistenceOptions) {
    this.#options = options
  }

  /** Whether the store did what it was last asked. */
  get lastWritten(): boolean {
    return this.#lastWritten
  }

  async read(): Promise<Stored> {
    const { store } = this.#options
    if (!store) return undefined
    const place = this.#options.place()
    try {
      const stored = decodeStored(await this.#withTimeout(() => store.get(place.key)), place)
      this.#lastWritten = stored !== 'foreign'
      return stored
    } catch (error) {
      return this.#failed('get', error)
    }
  }

  /** `aged`: the record, where its age is another now. */
  async write(text: string, aged?: SessionRecord): Promise<void> {
    const { store, environment } = this.#options
    if (!store) return
    const { key } = this.#options.place()
    try {
      await this.#withTimeout(() => store.set(key, text))
      this.#lastWritten = true
      if (aged) await this.#withTimeout(() => store.set(this.#setStatus, `${aged.id} ${aged.epoch}`)).catch(() => undefined)
      environment.announce(key)
    } catch (error) {
      this.#failed('set', error)
      // A pair that is about to be used up must not be found by the next page.
      await this.#withTimeout(() => store.delete(key)).catch(() => undefined)
    }
  }

  /** Beside the record stands which age it has: a store that gives an older one was set back. */
  async isOlder({ id, epoch }: SessionRecord): Promise<boolean> {
    const mark = await this.#withTimeout(async () => this.#options.store?.get(this.#setStatus)).catch(() => undefined)
    const [seen, age] = mark?.split(' ') ?? []
    return seen === id && Number(age) > epoch
  }

  get #setStatus(): string {
    return `${this.#options.place().key} epoch`
  }

  #failed(operation: string, error: unknown): undefined {
    this.#lastWritten = false
    this.#options.log('warn', 'session.store_failed', { operation, name: error instanceof Error ? error.name : 'unknown' })
  }

  async #withTimeout<T>(work: () => Promise<T>): Promise<T> {
    const pending = createDeferred<T>(this.#options.clock, { timeout: TIMEOUT, signals: [], makeError: timeoutError })
    work().then(pending.resolve, pending.reject)
    return pending.promise
  }
}

const timeoutError = (): Error => new ConfigurationError('unsupported', 'tokenStore')
