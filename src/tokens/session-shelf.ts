/** Where one session stands in its store: read and written within a time, and nothing a store does breaks the session. */
import type { Clock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import type { Log } from '../foundation/log'
import { startPending } from '../foundation/pending'
import { decodeStored, type RecordOwner, type SessionRecord, type Stored } from './session-record'
import type { TokenStore } from './store'
import type { Surroundings } from './surroundings'

/** ms that a store may take. */
const TIMEOUT = 3000

/** A place in a store, and the owner of the session in it. */
export interface SessionPlace extends RecordOwner {
  readonly key: string
}

export interface ShelfOptions {
  /** Undefined: memory is enough. */
  store: TokenStore | undefined
  surroundings: Surroundings
  place: () => SessionPlace
  clock: Clock
  log: Log
}

export class SessionShelf {
  readonly #options: ShelfOptions
  #kept = false

  constructor(options: ShelfOptions) {
    this.#options = options
  }

  /** Whether the store did what it was last asked. */
  get kept(): boolean {
    return this.#kept
  }

  async read(): Promise<Stored> {
    const { store } = this.#options
    if (!store) return undefined
    const place = this.#options.place()
    try {
      const stored = decodeStored(await this.#bounded(() => store.get(place.key)), place)
      this.#kept = stored !== 'foreign'
      return stored
    } catch (error) {
      return this.#failed('get', error)
    }
  }

  /** `aged`: the record, where its age is another now. */
  async write(text: string, aged?: SessionRecord): Promise<void> {
    const { store, surroundings } = this.#options
    if (!store) return
    const { key } = this.#options.place()
    try {
      await this.#bounded(() => store.set(key, text))
      this.#kept = true
      if (aged) await this.#bounded(() => store.set(this.#mark, `${aged.id} ${aged.epoch}`)).catch(() => undefined)
      surroundings.announce(key)
    } catch (error) {
      this.#failed('set', error)
      // A pair that is about to be used up must not be found by the next page.
      await this.#bounded(() => store.delete(key)).catch(() => undefined)
    }
  }

  /** Beside the record stands which age it has: a store that gives an older one was set back. */
  async isOlder({ id, epoch }: SessionRecord): Promise<boolean> {
    const mark = await this.#bounded(async () => this.#options.store?.get(this.#mark)).catch(() => undefined)
    const [seen, age] = mark?.split(' ') ?? []
    return seen === id && Number(age) > epoch
  }

  get #mark(): string {
    return `${this.#options.place().key} epoch`
  }

  #failed(operation: string, error: unknown): undefined {
    this.#kept = false
    this.#options.log('warn', 'session.store_failed', { operation, name: error instanceof Error ? error.name : 'unknown' })
  }

  async #bounded<T>(work: () => Promise<T>): Promise<T> {
    const pending = startPending<T>(this.#options.clock, { timeout: TIMEOUT, signals: [], refuse: tooSlow })
    work().then(pending.succeed, pending.fail)
    return pending.promise
  }
}

const tooSlow = (): Error => new ConfigurationError('unsupported', 'tokenStore')
