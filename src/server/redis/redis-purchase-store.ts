/** Record of granted purchases in Redis, for all processes of a backend. */
import { systemClock } from '../../shared/foundation/clock'
import { createDeferred } from '../../shared/foundation/async'
import { NetworkError, ProtocolError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import { takeOptions } from '../../shared/foundation/take-options'
import { redisKey, type StoreKey } from '../keys/store-key'
import type { PurchaseState, PurchaseStore } from '../purchases/purchase-store'
import CLAIM from './lua/claim-purchase.lua?raw'
import SETTLE from './lua/settle-purchase.lua?raw'
import type { RedisSessionCommands } from './redis-commands'
import { type OtherRedisClient, redisLink } from './redis-link'
import { createScriptRunner } from './run-script'
import { SetupReport } from './setup-report'
import { watchConnection } from './watch-connection'

/** Options of `redisPurchaseStore`. */
export interface RedisPurchaseStoreOptions {
  /** Begins every key, before the application's id. Desks of one application with the same prefix share their records. Default: `foyer`. */
  prefix?: string | undefined
  /** Receives faults of the setup (`redis.denied`, `redis.evicts_keys`), each once. Default: the console. */
  logger?: Log | undefined
}

/** ms for a response. */
const TIMEOUT = 2000
const STATES: readonly PurchaseState[] = ['claimed', 'granted', 'revoked']

/**
 * Creates the store of `createPurchaseDesk` for several processes. The records have no end: about 100 bytes for each purchase. Let Redis write to
 * disk (`appendonly yes`) and evict nothing, or purchases that it forgets are granted again, with the same id. While it is unavailable, nothing
 * is granted.
 *
 * @throws ConfigurationError `invalid_argument` unless it is a client of `ioredis`, `iovalkey`, node-redis 5 or later, or `@upstash/redis`.
 * @example
 * ```ts
 * const store = redisPurchaseStore(new Redis())
 * ```
 */
export function redisPurchaseStore(
  client: RedisSessionCommands | OtherRedisClient,
  given?: RedisPurchaseStoreOptions,
): PurchaseStore {
  const { prefix = 'foyer', logger } = takeOptions({ ...given }, ['prefix', 'logger'])
  const redis = redisLink(client, ['get', 'set', 'eval'])
  const watch = watchConnection(redis)
  const setup = new SetupReport(redis, logger)
  const runScript = createScriptRunner(redis, setup)
  /** Both have the tag of the application, so that a cluster keeps them together. */
  const keysOf = (key: StoreKey) => [redisKey(prefix, key), `${redisKey(prefix, key)}:claim`]
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
      const state = await ask(redis.get(redisKey(prefix, key)))
      return state === null || state === undefined ? undefined : toState(state)
    },
    async claim(key, owner, ttl) {
      const reply = await ask(runScript(CLAIM, keysOf(key), [owner, Math.ceil(ttl)]))
      return reply === 'new' || reply === 'busy' ? reply : toState(reply)
    },
    settle: async (key, owner, state) =>
      Number(await ask(runScript(SETTLE, keysOf(key), [owner, state]))) === 1,
  }
}

/** @throws ProtocolError `malformed_response` for anything else: nothing is known about the purchase. */
function toState(reply: unknown): PurchaseState {
  const state = STATES.find((each) => each === reply)
  if (state) return state
  throw new ProtocolError('malformed_response', 'redis: the state of a purchase')
}
