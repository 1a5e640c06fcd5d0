/** Store of the sessions that a backend holds, in Redis, for all of its processes. */
import { systemClock } from '../../shared/foundation/clock'
import { createDeferred } from '../../shared/foundation/async'
import { NetworkError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import { redisKey, type StoreKey } from '../keys/store-key'
import type { SessionStore } from '../sessions/session-store'
import RENEW_LOCK from './lua/renew-lock.lua?raw'
import UNLOCK from './lua/unlock.lua?raw'
import type { RedisSessionCommands } from './redis-commands'
import { type OtherRedisClient, redisLink } from './redis-link'
import { createScriptRunner } from './run-script'
import { SetupReport } from './setup-report'
import { watchConnection } from './watch-connection'
import { takeOptions } from '../../shared/foundation/take-options'

/** Options of `redisSessionStore`. */
export interface RedisSessionStoreOptions {
  /** Begins every key, before the application's id. Handlers of one application with the same prefix share their sessions. Default: `foyer`. */
  prefix?: string | undefined
  /** Receives faults of the setup (`redis.denied`, `redis.evicts_keys`), each once. Default: the console. */
  logger?: Log | undefined
}

/** ms for a response. */
const TIMEOUT = 3000

/**
 * Creates the store of `createSessionHandler` for several processes. The records are sealed: Redis learns no token. Let Redis write to disk
 * (`appendonly yes`), or its restart signs everybody out. While it is unavailable, requests are answered with 503, and nobody is signed out.
 *
 * @throws ConfigurationError `invalid_argument` unless it is a client of `ioredis`, `iovalkey`, node-redis 5 or later, or `@upstash/redis`.
 * @example
 * ```ts
 * const store = redisSessionStore(new Redis())
 * ```
 */
export function redisSessionStore(
  client: RedisSessionCommands | OtherRedisClient,
  given?: RedisSessionStoreOptions,
): SessionStore {
  const { prefix = 'foyer', logger } = takeOptions({ ...given }, ['prefix', 'logger'])
  const redis = redisLink(client, ['get', 'set', 'del', 'eval'])
  const watch = watchConnection(redis)
  const setup = new SetupReport(redis, logger)
  const runScript = createScriptRunner(redis, setup)
  const nameOf = (key: StoreKey): string => redisKey(prefix, key)
  const ask = async (reply: Promise<unknown>): Promise<unknown> => {
    const pending = createDeferred<unknown>(systemClock, {
      timeout: TIMEOUT,
      signals: [],
      makeError: (code) => new NetworkError(code, 'redis'),
    })
    setup.watch(watch(reply)).then(pending.resolve, pending.reject)
    return pending.promise
  }
  return {
    async get(key) {
      const text = await ask(redis.get(nameOf(key)))
      return typeof text === 'string' ? text : undefined
    },
    async set(key, text, ttl) {
      await ask(redis.set(nameOf(key), text, 'PX', Math.ceil(ttl)))
    },
    async delete(key) {
      await ask(redis.del(nameOf(key)))
    },
    lock: async (key, owner, ttl) =>
      (await ask(redis.set(nameOf(key), owner, 'PX', Math.ceil(ttl), 'NX'))) === 'OK',
    renew: async (key, owner, ttl) =>
      Number(await ask(runScript(RENEW_LOCK, [nameOf(key)], [owner, Math.ceil(ttl)]))) === 1,
    async unlock(key, owner) {
      await ask(runScript(UNLOCK, [nameOf(key)], [owner]))
    },
  }
}
