/** Texts with an end in the storage of a Durable Object, whose alarm removes those that have ended. */
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { type Log, warnInConsole, withoutExceptions } from '../../shared/foundation/log-entry'
import { takeOptions } from '../../shared/foundation/take-options'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { StoreKey } from '../keys/store-key'
import {
  type DurableObjectStorage,
  type DurableObjectTransaction,
  takeStorage,
} from './durable-object-storage'

/** Options of the stores in a Durable Object. */
export interface DurableObjectStoreOptions {
  /** Receives `durable_object.no_alarm`, once, if the object's class has no method `alarm`. Default: the console. */
  logger?: Log | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Begins every key, so that the game's own entries stay. */
const PREFIX = 'foyer:'
/** ms between two alarms, at least: each wakes the object. */
const REST = 3_600_000
/** Entries that one list holds in memory. */
const PAGE = 500
const NO_ALARM =
  'Give the class of the object the method: alarm() { return removeExpired(this.state.storage) }'

/** The next state of an entry: a new text for `ttl` ms, null to delete it, undefined to leave it. */
export interface Change<Result> {
  readonly result: Result
  readonly text?: string | null
  readonly ttl?: number
}

export class ExpiringEntries {
  readonly #storage: DurableObjectStorage
  readonly #clock: Clock
  readonly #log: Log
  #isAlarmMissing = false

  /** @throws ConfigurationError `invalid_argument` for anything but the storage of an object. */
  constructor(storage: DurableObjectStorage, given?: DurableObjectStoreOptions) {
    const { logger = warnInConsole, clock = systemClock } = takeOptions({ ...given }, ['logger', 'clock'])
    this.#storage = takeStorage(storage, clock)
    this.#log = withoutExceptions(logger)
    this.#clock = clock
  }

  async get(key: StoreKey): Promise<string | undefined> {
    return (await this.#read(this.#storage, nameOf(key)))?.text
  }

  async put(key: StoreKey, text: string, ttl: number): Promise<void> {
    const until = this.#clock.now() + ttl
    await this.#storage.put(nameOf(key), { text, until })
    await this.#wakeAt(until)
  }

  async delete(key: StoreKey): Promise<void> {
    await this.#storage.delete(nameOf(key))
  }

  /** Reads, decides and writes, with no other write in between. `decide` may be called again, and must not do anything else. */
  async change<Result>(key: StoreKey, decide: (held: string | undefined) => Change<Result>): Promise<Result> {
    const name = nameOf(key)
    const {
      result,
      text,
      ttl = 0,
    } = await this.#storage.transaction(async (transaction) => {
      const change = decide((await this.#read(transaction, name))?.text)
      const until = this.#clock.now() + (change.ttl ?? 0)
      if (change.text === null) await transaction.delete(name)
      else if (change.text !== undefined) await transaction.put(name, { text: change.text, until })
      return change
    })
    if (typeof text === 'string') await this.#wakeAt(this.#clock.now() + ttl)
    return result
  }

  /** Deletes what has ended, and sets the next alarm. */
  async removeExpired(): Promise<void> {
    let next = Infinity
    for await (const [name, value] of this.#all()) {
      const until = readEntry(value)?.until ?? 0
      if (until > this.#clock.now()) next = Math.min(next, until)
      else await this.#deleteIfExpired(name)
    }
    if (next < Infinity) await this.#wakeAt(next)
  }

  async *#all(): AsyncGenerator<[string, unknown]> {
    for (let startAfter = PREFIX; ;) {
      const page = await this.#storage.list({ prefix: PREFIX, startAfter, limit: PAGE })
      yield* page
      const last = [...page.keys()].at(-1)
      if (last === undefined || page.size < PAGE) return
      startAfter = last
    }
  }

  /** A request may have written it since the list. */
  async #deleteIfExpired(name: string): Promise<void> {
    await this.#storage.transaction(async (transaction) => {
      if (!(await this.#read(transaction, name))) await transaction.delete(name)
    })
  }

  async #read(from: DurableObjectTransaction, name: string): Promise<Entry | undefined> {
    const entry = readEntry(await from.get(name))
    return entry && entry.until > this.#clock.now() ? entry : undefined
  }

  /** The object has one alarm: an earlier one stays. An entry that has ended is not read, so that a late alarm costs storage alone. */
  async #wakeAt(until: number): Promise<void> {
    const wanted = Math.max(until, this.#clock.now() + REST)
    const set = await this.#storage.getAlarm()
    if (this.#isAlarmMissing || (set !== null && set <= wanted)) return
    try {
      await this.#storage.setAlarm(wanted)
    } catch {
      this.#isAlarmMissing = true
      this.#log('warn', 'durable_object.no_alarm', { remedy: NO_ALARM })
    }
  }
}

interface Entry {
  readonly text: string
  /** Epoch ms. */
  readonly until: number
}

const nameOf = (key: StoreKey): string => `${PREFIX}${key}`

function readEntry(value: unknown): Entry | undefined {
  const { text, until } = isRecord(value) ? value : {}
  return typeof text === 'string' && typeof until === 'number' ? { text, until } : undefined
}

/**
 * Deletes sessions, tickets and keys of received requests that have ended, and sets the next alarm: an hour later at the earliest, none if
 * nothing is left. An object has one alarm. A game that needs it for something else calls this function there too, now and then.
 *
 * @param storage `state.storage` of the object.
 * @throws ConfigurationError `invalid_argument` for anything else.
 * @example
 * ```ts
 * class Game {
 *   alarm() {
 *     return removeExpired(this.state.storage)
 *   }
 * }
 * ```
 */
export function removeExpired(
  storage: DurableObjectStorage,
  options?: DurableObjectStoreOptions,
): Promise<void> {
  return new ExpiringEntries(storage, options).removeExpired()
}
