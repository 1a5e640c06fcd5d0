/** A budget in Redis, for the processes of one application. */
import { ConfigurationError } from '../foundation/errors'
import { randomText } from '../foundation/random'
import {
  type Grant,
  type RateLimitStore,
  type Refusals,
  type SharedBucket,
  grainOf,
  ARRIVAL_GRACE,
  margin,
  reservationHold,
} from '../rate-limit/shared/store'
import { ACQUIRE, BLOCK, COUNT_REFUSALS, LEAVE, SETTLE, UNBLOCK } from './scripts'

/** What is needed of a Redis client; an `ioredis` client or cluster is one. */
export interface RedisCommands {
  script(subcommand: 'LOAD', script: string): Promise<unknown>
  evalsha(sha: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
  eval(script: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
}

export interface RedisStoreOptions {
  /** Processes with the same prefix share a budget: give each application its own. Default `foyer`. */
  prefix?: string
  /**
   * How many processes there are at the least. Those that are seen count by themselves; this is for the time before, and for processes that
   * never reach Redis. Default 1.
   */
  processes?: number
}

/** ms that the first answer may take: name, connection, encryption, password, script. */
const CONNECT_TIMEOUT = 5000

/**
 * Makes the budget that all processes with the same Redis and prefix share. The connection stays yours: this neither opens nor closes it.
 * While Redis is away each process keeps to its part of every limit.
 * @throws ConfigurationError `invalid_argument` for what is no client of Redis, or one that names its commands in another way than `ioredis`.
 */
export function redisRateLimitStore(redis: RedisCommands, given?: RedisStoreOptions): RateLimitStore {
  const options = { ...given }
  const { prefix = 'foyer', processes = 1 } = { ...options }
  if (typeof redis?.evalsha !== 'function') throw new ConfigurationError('invalid_argument', 'redis: a client of ioredis')
  const run = createRunner(redis)
  const party = randomText().slice(0, 12)
  // One hash tag, so that a cluster keeps all of a budget on one node and can decide in one step.
  const base = `{${prefix}}:`
  const keysOf = ({ key }: SharedBucket) => [`${base}${key}:out`, `${base}${key}:cool`, `${base}${key}:meta`]
  let asks = 0
  return {
    parties: processes,
    connectTimeout: CONNECT_TIMEOUT,
    async acquire({ buckets, want, hold, fence = 0 }) {
      const lease = `${party}:${(asks++).toString(36)}:`
      const figures = buckets.flatMap(({ limit, per }) => [limit, per, margin(per), reservationHold(per)])
      const keys = [`${base}parties`, ...buckets.flatMap(keysOf), ...(fence > 0 ? [`${base}life`] : [])]
      const answer = await run(ACQUIRE, keys, [party, want, hold, lease, ...figures, fence])
      return readGrant(answer, { lease, processes })
    },
    async settle({ buckets, leases, how, used = 0 }) {
      const figures = buckets.flatMap(({ per }) => [per, margin(per), grainOf(per)])
      await run(SETTLE, buckets.flatMap(keysOf), [how, ARRIVAL_GRACE, used, leases.length, ...leases, ...figures])
    },
    async block(bucket, ms) {
      await run(BLOCK, keysOf(bucket).slice(2), [ms])
    },
    async unblock(bucket) {
      await run(UNBLOCK, keysOf(bucket).slice(2), [])
    },
    async countRefusals(count) {
      return readRefusals(await run(COUNT_REFUSALS, [`${base}refusals`], [count]))
    },
    async close() {
      await run(LEAVE, [`${base}parties`], [party])
    },
  }
}

type Run = (script: string, keys: readonly string[], values: readonly (string | number)[]) => Promise<unknown>

/** Sends a script once and its name from then on. A server that was restarted has forgotten it and gets it again. */
function createRunner(redis: RedisCommands): Run {
  const names = new Map<string, Promise<string>>()
  return async (script, keys, values) => {
    let name = names.get(script)
    if (!name) {
      name = redis.script('LOAD', script).then(String)
      names.set(script, name)
      name.catch(() => names.delete(script))
    }
    try {
      return await redis.evalsha(await name, keys.length, ...keys, ...values)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(script, keys.length, ...keys, ...values)
    }
  }
}

function readRefusals(answer: unknown): Refusals {
  const [total = 0, oldest = 0] = Array.isArray(answer) ? answer.map(Number) : []
  return { total, oldest }
}

function readGrant(answer: unknown, { lease, processes }: { lease: string; processes: number }): Grant {
  const [count = 0, wait = 0, blockedBy = 0, parties = 1] = Array.isArray(answer) ? answer.map(Number) : []
  return {
    leases: Array.from({ length: count }, (_, index) => `${lease}${index + 1}`),
    wait,
    blockedBy,
    parties: Math.max(processes, parties),
  }
}
