/** Store of received interactions and events, and of tickets, in Redis, for all processes of a backend. */
import { systemClock } from '../../shared/foundation/clock'
import { createDeferred } from '../../shared/foundation/async'
import { NetworkError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import { randomText } from '../../shared/foundation/crypto'
import { redisKey, type StoreKey } from '../keys/store-key'
import type { TicketStore } from '../players/player-tickets'
import type { RedisSetCommand } from './redis-commands'
import { type OtherRedisClient, redisLink } from './redis-link'
import { SetupReport } from './setup-report'
import { watchConnection } from './watch-connection'
import { takeOptions } from '../../shared/foundation/take-options'

/** Options of `redisStore`. */
export interface RedisReplayStoreOptions {
  /** Begins every key, before the application's id. Endpoints of one application with the same prefix share what they received. Default: `foyer`. */
  prefix?: string | undefined
  /** Receives faults of the setup (`redis.denied`, `redis.evicts_keys`), each once. Default: the console. */
  logger?: Log | undefined
}

/**
 * Store for the option `replays` of `createInteractionHandler` and `createEventHandler`, and for `store` of `createPlayerTickets`. Every
 * method rejects while Redis is unavailable, after 0.8 s at most.
 */
export interface RedisReplayStore extends TicketStore {
  /** Stores a key for `ttl` ms and resolves with true if it was stored already. Atomic. */
  seen(key: StoreKey, ttl: number): Promise<boolean>
}

/** ms for a response: the caller has to answer within 1 s or so. */
const TIMEOUT = 800

/**
 * Creates a store of received interactions and events, and of tickets, shared by all processes with the same Redis and prefix: each request
 * runs in one of them, once. The caller opens and closes the connection. While Redis is unavailable, a request is refused within a second; a connection
 * without responses is replaced.
 *
 * @throws ConfigurationError `invalid_argument` unless it is a client of `ioredis`, `iovalkey`, node-redis 5 or later, or `@upstash/redis`.
 * @example
 * ```ts
 * const replays = redisStore(new Redis())
 * const handler = createInteractionHandler({ publicKey, commands, replays })
 * ```
 */
export function redisStore(
  client: RedisSetCommand | OtherRedisClient,
  given?: RedisReplayStoreOptions,
): RedisReplayStore {
  const { prefix = 'foyer', logger } = takeOptions({ ...given }, ['prefix', 'logger'])
  const redis = redisLink(client, ['set', 'get', 'del', 'getdel'])
  const watch = watchConnection(redis)
  const setup = new SetupReport(redis, logger)
  const keyOf = (key: StoreKey) => redisKey(prefix, key)
  const run: Run = (command) => setup.watch(watch(command))
  const keys = new SeenKeys(redis, run)
  return {
    seen: async (key, ttl) => !(await keys.add(keyOf(key), ttl)),
    async put(key, text, ttl) {
      await withTimeout(run(redis.set(keyOf(key), text, 'PX', Math.ceil(ttl))))
    },
    async take(key) {
      const text = await withTimeout(run(redis.getdel(keyOf(key))))
      return typeof text === 'string' ? text : undefined
    },
  }
}

/** Runs a command. */
type Run = (command: Promise<unknown>) => Promise<unknown>

/**
 * Keys of received requests. Each has a value of its own: a client sends a command again whose response was lost with the connection, and
 * then finds its own key. A request that is refused in an outage comes again: the key that it may have stored would make it a replay.
 */
class SeenKeys {
  readonly #redis: RedisSetCommand
  readonly #run: Run
  /** Deletions of keys of refused requests, by the value. */
  readonly #deletions = new Map<string, Promise<void>>()

  constructor(redis: RedisSetCommand, run: Run) {
    this.#redis = redis
    this.#run = run
  }

  /** Resolves with true if the key is new. */
  async add(name: string, ttl: number): Promise<boolean> {
    const value = randomText()
    const stored = this.#store(name, value, ttl)
    try {
      return await withTimeout(stored)
    } catch (error) {
      const deletion = this.#delete(stored, name, value)
      this.#deletions.set(value, deletion)
      void deletion.catch(() => undefined).finally(() => this.#deletions.delete(value))
      throw error
    }
  }

  async #store(name: string, value: string, ttl: number): Promise<boolean> {
    if (isFirst(await this.#run(this.#redis.set(name, value, 'PX', Math.ceil(ttl), 'NX')))) return true
    const holder = await this.#run(this.#redis.get(name))
    if (holder === value) return true
    const deletion = this.#deletions.get(String(holder))
    if (!deletion) return false
    await deletion
    return this.#store(name, value, ttl)
  }

  /** After the command: it may reach the server late, and may have reached it although its response was lost. */
  async #delete(stored: Promise<unknown>, name: string, value: string): Promise<void> {
    await stored.catch(() => undefined)
    if ((await this.#run(this.#redis.get(name))) === value) await this.#run(this.#redis.del(name))
  }
}

/** @throws TypeError for a reply that `SET … NX` does not have: nothing is known about the key. */
function isFirst(reply: unknown): boolean {
  if (reply === 'OK') return true
  if (reply === null) return false
  throw new TypeError('SET … NX: neither OK nor null')
}

function withTimeout<T>(reply: Promise<T>): Promise<T> {
  const pending = createDeferred<T>(systemClock, {
    timeout: TIMEOUT,
    signals: [],
    makeError: (code) => new NetworkError(code, 'redis'),
  })
  reply.then(pending.resolve, pending.reject)
  return pending.promise
}
