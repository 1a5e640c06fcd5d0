/** Store of received interactions and events, and of tickets, in Redis, for all processes of a backend. */
import { systemClock } from '../foundation/clock'
import { createDeferred } from '../foundation/deferred'
import { NetworkError } from '../foundation/errors'
import type { Log } from '../foundation/log-entry'
import type { TicketStore } from '../players/player-tickets'
import { requireIoredis } from './require-ioredis'
import { type SetupCommands, SetupReport } from './setup-report'
import { type ReplaceableConnection, watchConnection } from './watch-connection'

/** Required methods of a Redis client for `redisStore`, as of an `ioredis` client or cluster. */
export interface RedisSetCommand extends ReplaceableConnection, SetupCommands {
  /** Stores a text for `ttl` ms unless the key exists (`SET … PX … NX`). Resolves with `OK`, or with null if it exists. */
  set(key: string, ...value: [text: string, px: 'PX', ttl: number, nx: 'NX']): Promise<unknown>
  /** Stores a text for `ttl` ms (`SET … PX …`). */
  set(key: string, ...value: [text: string, px: 'PX', ttl: number]): Promise<unknown>
  /** Removes a text and returns it (`GETDEL`, of Redis 6.2). */
  getdel(key: string): Promise<unknown>
  /** Deletes a key (`DEL`). */
  del(key: string): Promise<unknown>
  /** Not called: tells a client of `ioredis` from others, whose `set` takes other arguments. */
  evalsha(sha: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
}

/** Options of `redisStore`. */
export interface RedisReplayStoreOptions {
  /** Key prefix. Endpoints with the same prefix share what they received, so use one per application. Default: `foyer`. */
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
  seen(key: string, ttl: number): Promise<boolean>
}

/** ms for a response: the caller has to answer within 1 s or so. */
const TIMEOUT = 800

/**
 * Creates a store of received interactions and events, and of tickets, shared by all processes with the same Redis and prefix: each request
 * runs in one of them, once. The caller opens and closes the connection. While Redis is unavailable, a request is refused within a second; a connection
 * without responses is replaced.
 *
 * @throws ConfigurationError `invalid_argument` unless `redis` is an `ioredis` client.
 * @example
 * ```ts
 * const replays = redisStore(new Redis(), { prefix: `foyer:${applicationId}` })
 * const handler = createInteractionHandler({ publicKey, commands, replays })
 * ```
 */
export function redisStore(redis: RedisSetCommand, given?: RedisReplayStoreOptions): RedisReplayStore {
  const { prefix = 'foyer', logger } = { ...given }
  requireIoredis(redis, ['set', 'del', 'getdel'])
  const watch = watchConnection(redis)
  const setup = new SetupReport(redis, logger)
  const keyOf = (key: string) => `{${prefix}}:${key}`
  const run = async (command: Promise<unknown>): Promise<unknown> => {
    try {
      const reply = await withTimeout(command)
      setup.onSuccess()
      return reply
    } catch (error) {
      setup.onFailure(error)
      throw error
    }
  }
  return {
    async seen(key, ttl) {
      const name = keyOf(`seen:${key}`)
      const reply = watch(redis.set(name, '1', 'PX', Math.ceil(ttl), 'NX'))
      try {
        return !isFirst(await run(reply))
      } catch (error) {
        // The request is refused, and comes again: a key that was stored too late would make it a replay.
        reply.then((late) => isFirst(late) && redis.del(name)).catch(() => undefined)
        throw error
      }
    },
    async put(key, text, ttl) {
      await run(watch(redis.set(keyOf(key), text, 'PX', Math.ceil(ttl))))
    },
    async take(key) {
      const text = await run(watch(redis.getdel(keyOf(key))))
      return typeof text === 'string' ? text : undefined
    },
  }
}

/** @throws TypeError for a reply that `SET … NX` does not have: nothing is known about the key. */
function isFirst(reply: unknown): boolean {
  if (reply === 'OK') return true
  if (reply === null) return false
  throw new TypeError('SET … NX: neither OK nor null')
}

function withTimeout<T>(reply: Promise<T>): Promise<T> {
  const pending = createDeferred<T>(systemClock, { timeout: TIMEOUT, signals: [], makeError: (code) => new NetworkError(code, 'redis') })
  reply.then(pending.resolve, pending.reject)
  return pending.promise
}
