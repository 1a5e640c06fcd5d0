/** Store of received interactions and events in Redis, for all processes of a backend. */
import { ConfigurationError } from '../foundation/errors'

/** Required method of a Redis client for `redisStore`, as of an `ioredis` client or cluster. */
export interface RedisSetCommand {
  /** Stores a text for `ttl` ms unless the key exists (`SET … PX … NX`). Resolves with null if it exists. */
  set(key: string, ...value: [text: string, px: 'PX', ttl: number, nx: 'NX']): Promise<unknown>
}

/** Options of `redisStore`. */
export interface RedisReplayStoreOptions {
  /** Key prefix. Endpoints with the same prefix share what they received, so use one per application. Default: `foyer`. */
  prefix?: string
}

/** Store for the option `replays` of `createInteractionHandler` and `createEventHandler`. */
export interface RedisReplayStore {
  /** Stores a key for `ttl` ms and resolves with true if it was stored already. Atomic. Rejects while Redis is unavailable. */
  seen(key: string, ttl: number): Promise<boolean>
}

/**
 * Creates a store of received interactions and events, shared by all processes with the same Redis and prefix: each request runs in one
 * of them, once. The caller opens and closes the connection. Give it `maxRetriesPerRequest: 1`, so that a request is refused quickly while
 * Redis is unavailable; the service repeats it.
 *
 * @throws ConfigurationError `invalid_argument` unless `redis` has the method of an `ioredis` client.
 * @example
 * ```ts
 * const replays = redisStore(new Redis({ maxRetriesPerRequest: 1 }), { prefix: `foyer:${applicationId}` })
 * const handler = createInteractionHandler({ publicKey, commands, replays })
 * ```
 */
export function redisStore(redis: RedisSetCommand, given?: RedisReplayStoreOptions): RedisReplayStore {
  const { prefix = 'foyer' } = { ...given }
  if (typeof redis?.set !== 'function')
    throw new ConfigurationError('invalid_argument', 'redis: a client of ioredis', { remedy: 'Pass new Redis(url)' })
  return {
    seen: async (key, ttl) => (await redis.set(`{${prefix}}:seen:${key}`, '1', 'PX', Math.ceil(ttl), 'NX')) === null,
  }
}
