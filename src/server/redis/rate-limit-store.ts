/** Rate limit store in Redis, for the processes of one application. */
import type { Log } from '../../shared/foundation/log-entry'
import { requireNumber } from '../../shared/foundation/options'
import {
  type Grant,
  type RateLimitStore,
  type Refusals,
  type SharedBucket,
  granularity,
  ARRIVAL_GRACE,
  margin,
  reservationHold,
} from '../../shared/rate-limit/store-port'
import { PartyName } from './party-name'
import {
  ACQUIRE,
  BLOCK,
  COUNT_REFUSALS,
  LEAVE,
  PAUSE,
  PRESENT,
  RENEW,
  RETIRE,
  SETTLE,
  UNBLOCK,
} from './rate-limit-scripts'
import { SetupReport } from './setup-report'
import { type OtherRedisClient, redisLink } from './redis-link'
import { createScriptRunner, type RedisCommands, type RunScript } from './run-script'
import { takeOptions } from '../../shared/foundation/take-options'

/** Options of `redisRateLimitStore`. */
export interface RedisStoreOptions {
  /** Begins every key, before the application's id. Clients of one application with the same prefix share their limits. Default: `foyer`. */
  prefix?: string | undefined
  /**
   * Minimum number of processes. Running processes are counted automatically; this covers the time before, and processes that cannot reach
   * Redis. Default: 1.
   */
  processes?: number | undefined
  /** Receives faults of the setup (`redis.denied`, `redis.evicts_keys`), each once. Default: the console. */
  logger?: Log | undefined
}

/** ms, one window at most, for which a server grants nothing that may lack the last grants. */
const PAUSE_TIME = 1000
/** ms for the first response: name resolution, connection, TLS, authentication, script. */
const CONNECT_TIMEOUT = 5000

/**
 * Creates a rate-limit store shared by all processes with the same Redis and prefix. The caller opens and closes the connection. While Redis
 * is unavailable, each process uses its share of every limit.
 *
 * @throws ConfigurationError `invalid_argument` unless it is a client of `ioredis`, `iovalkey`, node-redis 5 or later, or `@upstash/redis`.
 * @example
 * ```ts
 * import { Redis } from 'ioredis'
 *
 * const client = new ApplicationClient({
 *   applicationId,
 *   service: { host: 'https://service.example' },
 *   credentials: botToken(process.env.FOYER_BOT_TOKEN),
 *   rateLimitStore: redisRateLimitStore(new Redis()),
 * })
 * ```
 */
export function redisRateLimitStore(
  client: RedisCommands | OtherRedisClient,
  given?: RedisStoreOptions,
): RateLimitStore {
  const options = takeOptions({ ...given }, ['prefix', 'processes', 'logger'])
  const { prefix = 'foyer', processes = 1, logger } = options
  const redis = redisLink(client, ['eval', 'script'])
  requireNumber(processes, 'processes', { kind: 'a number of processes', min: 1, example: '4' })
  const party = new PartyName()
  const run = watchOutages(createScriptRunner(redis, new SetupReport(redis, logger)), party)
  // One hash tag, so that a cluster stores all keys on one node and can run the scripts atomically.
  const keyPrefix = `{${prefix}}:`
  const keyOf: KeyOf = ({ key }) => `${keyPrefix}bucket:${key}`
  const parties = `${keyPrefix}parties`
  let requestCount = 0
  return {
    forApplication: (id) => redisRateLimitStore(client, { ...options, prefix: `${prefix}:${id}` }),
    parties: processes,
    connectTimeout: CONNECT_TIMEOUT,
    async acquire({ buckets, want, hold, fence = 0 }) {
      await retireFormer(run, party, parties)
      const { current } = party
      const lease = `${current}:${(requestCount++).toString(36)}`
      if (buckets.length === 0)
        return readGrant([0, 0, 0, await run(PRESENT, [parties], [current])], { lease, processes })
      const args = buckets.flatMap(({ limit, per }) => [limit, per, margin(per), reservationHold(per)])
      const keys = [parties, ...buckets.map(keyOf), ...(fence > 0 ? [`${keyPrefix}life`] : [])]
      // A lock has a fence of its own. A party that wants nothing was away for so long that all others were, too.
      const script =
        want > 0 && fence === 0 ? { source: ACQUIRE, onForgotten: () => pause(run, buckets, keyOf) } : ACQUIRE
      return readGrant(await run(script, keys, [current, want, hold, lease, fence, ...args]), {
        lease,
        processes,
      })
    },
    async settle({ buckets, leases, how, used = 0 }) {
      const args = buckets.flatMap(({ per }) => [per, margin(per), granularity(per)])
      await run(SETTLE, buckets.map(keyOf), [how, ARRIVAL_GRACE, used, leases.length, ...leases, ...args])
    },
    renew: async ({ bucket, lease }) => Number(await run(RENEW, [keyOf(bucket)], [lease])) === 1,
    block: async (bucket, ms) => void (await run(BLOCK, [keyOf(bucket)], [ms])),
    unblock: async (bucket) => void (await run(UNBLOCK, [keyOf(bucket)], [])),
    countRefusals: async (count) =>
      readRefusals(await run(COUNT_REFUSALS, [`${keyPrefix}refusals`], [count])),
    close: async () => void (await run(LEAVE, [parties], [party.current])),
  }
}

type KeyOf = (bucket: SharedBucket) => string

/** Notices outages. */
function watchOutages(run: RunScript, party: PartyName): RunScript {
  return async (script, keys, values) => {
    try {
      const reply = await run(script, keys, values)
      party.onSuccess()
      return reply
    } catch (error) {
      party.onDoubt()
      throw error
    }
  }
}

/** The first step after an outage: leases of the former name are freed as soon as their requests have arrived. */
async function retireFormer(run: RunScript, party: PartyName, parties: string): Promise<void> {
  const { former } = party
  if (former.length === 0) return
  await run(RETIRE, [parties], former)
  party.onRetired(former)
}

/** A server that may lack the last grants: by the end of the pause, their slots are free. */
function pause(run: RunScript, buckets: readonly SharedBucket[], keyOf: KeyOf): Promise<unknown> {
  const times = buckets.map(({ per }) => Math.min(PAUSE_TIME, per) + margin(per))
  return run(PAUSE, buckets.map(keyOf), times)
}

function readRefusals(reply: unknown): Refusals {
  const [total = 0, oldest = 0] = Array.isArray(reply) ? reply.map(Number) : []
  return { total, oldest }
}

function readGrant(reply: unknown, { lease, processes }: { lease: string; processes: number }): Grant {
  const [count = 0, wait = 0, blockedBy = 0, parties = 1] = Array.isArray(reply) ? reply.map(Number) : []
  return {
    leases: Array.from({ length: count }, (_, index) => `${lease}:${index + 1}`),
    wait,
    blockedBy,
    parties: Math.max(processes, parties),
  }
}
