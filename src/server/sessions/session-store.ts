/** Port to the store of sessions that a backend holds, shared by its processes, and a store in memory. */
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { ConfigurationError } from '../../shared/foundation/errors'
import { takeOptions } from '../../shared/foundation/take-options'
import type { StoreKey } from '../keys/store-key'

/** Stores sealed texts by key, and locks. A rejection means that the store is unavailable: nobody is signed out for it. */
export interface SessionStore {
  /** Resolves with the text; undefined if there is none, or its time is over. */
  get(key: StoreKey): Promise<string | undefined>
  /** Replaces the text, and keeps it for `ttl` ms. */
  set(key: StoreKey, text: string, ttl: number): Promise<void>
  /** Deletes the text, if there is one. */
  delete(key: StoreKey): Promise<void>
  /** Takes a lock for `ttl` ms, unless another owner holds it. Atomic. Resolves with true if it was taken. */
  lock(key: StoreKey, owner: string, ttl: number): Promise<boolean>
  /**
   * Holds a lock of this owner for `ttl` ms from now. Atomic. Resolves with false if the owner no longer holds it. With it, a process that was killed
   * holds up a session for 4 s; in a store without this method, for 20 s.
   */
  renew?(key: StoreKey, owner: string, ttl: number): Promise<boolean>
  /** Releases a lock that this owner holds. Atomic. */
  unlock(key: StoreKey, owner: string): Promise<void>
}

/** Requirements of the option `store`. */
export const STORE = {
  name: 'store',
  methods: ['get', 'set', 'delete', 'lock', 'unlock'],
  example: 'redisSessionStore(new Redis(url))',
}

interface Entry {
  readonly text: string
  /** Epoch ms. */
  readonly until: number
}

/** ms between two removals of entries that have ended. */
const SWEEP = 60_000

/** Entries of named stores. A development server loads a module anew after each edit, and a bundler may load it twice. */
const NAMED = Symbol.for('foyer-sdk/memorySessionStore')

/** @throws ConfigurationError `invalid_argument`. */
function entriesOf(name: unknown): Map<string, Entry> {
  if (name === undefined) return new Map()
  if (typeof name !== 'string' || name === '')
    throw new ConfigurationError('invalid_argument', 'name: a text', { remedy: "Pass a name such as 'game'" })
  const found: unknown = Reflect.get(globalThis, NAMED)
  const stores: Map<string, Map<string, Entry>> = found instanceof Map ? found : new Map()
  Reflect.set(globalThis, NAMED, stores)
  const entries = stores.get(name) ?? new Map<string, Entry>()
  stores.set(name, entries)
  return entries
}

/** Options of `memorySessionStore`. */
export interface MemorySessionStoreOptions {
  /**
   * Stores of one name are one store in this process, also after a development server has loaded the module of a route anew: players stay signed in.
   * Default: each store is one of its own.
   */
  name?: string | undefined
  /** Replaces the system's clock, for tests. */
  clock?: Clock | undefined
}

/**
 * Creates a store for one process, in memory: a restart signs everybody out. For development and tests.
 *
 * @throws ConfigurationError `invalid_argument` for a name that is no text.
 */
export function memorySessionStore(given?: MemorySessionStoreOptions): SessionStore {
  const { clock = systemClock, name } = takeOptions({ ...given }, ['clock', 'name'])
  const entries = entriesOf(name)
  let swept = 0
  const find = (key: string): string | undefined => {
    const entry = entries.get(key)
    return entry && entry.until > clock.now() ? entry.text : undefined
  }
  const put = (key: string, text: string, ttl: number): void => {
    const now = clock.now()
    if (now - swept > SWEEP) for (const [ended, { until }] of entries) if (until <= now) entries.delete(ended)
    swept = now - swept > SWEEP ? now : swept
    entries.set(key, { text, until: now + ttl })
  }
  return {
    get: async (key) => find(key),
    set: async (key, text, ttl) => put(key, text, ttl),
    delete: async (key) => void entries.delete(key),
    async lock(key, owner, ttl) {
      if (find(key) !== undefined) return false
      put(key, owner, ttl)
      return true
    },
    async renew(key, owner, ttl) {
      if (find(key) !== owner) return false
      put(key, owner, ttl)
      return true
    },
    async unlock(key, owner) {
      if (find(key) === owner) entries.delete(key)
    },
  }
}
