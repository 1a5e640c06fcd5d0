/** The one way to Redis: every client that is known is used through the methods of `ioredis`. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { httpRedisLink, type HttpRedisClient, isHttpRedis, NO_BROKER } from './http-redis-link'
import { type AnyNodeRedis, isNodeRedis, NO_DUPLICATE, nodeRedisLink } from './node-redis-link'
import type { RedisLink } from './redis-commands'
import { refuseBroker } from './refuse-broker'

/** A client of another package than `ioredis`: node-redis 5 or later, also for Sentinels and clusters, or Upstash over HTTP. */
export type OtherRedisClient = AnyNodeRedis | HttpRedisClient

const CLIENTS = 'redis: a client of ioredis, iovalkey, node-redis 5 or later, or @upstash/redis'
const REMEDY = 'Pass new Redis(url) of ioredis, or await createClient({ url }).connect() of redis'

/**
 * Returns the client itself if it is one of `ioredis`, or what turns the commands of `ioredis` into its own.
 *
 * @throws ConfigurationError `invalid_argument` for anything else, and for a client without a method of `methods`.
 */
export function redisLink<Commands extends object>(
  redis: Commands | OtherRedisClient,
  methods: readonly (keyof RedisLink)[],
): Commands | RedisLink {
  const isForNotes = methods.includes('duplicate')
  if (isNodeRedis(redis)) {
    if (isForNotes && !redis.duplicate) refuseBroker(NO_DUPLICATE)
    return nodeRedisLink(redis)
  }
  if (isHttpRedis(redis)) {
    if (isForNotes) refuseBroker(NO_BROKER)
    return httpRedisLink(redis)
  }
  if (!isIoredis(redis, methods))
    throw new ConfigurationError('invalid_argument', CLIENTS, { remedy: REMEDY })
  return redis
}

/** `evalsha` with these arguments is of clients of `ioredis` only. */
function isIoredis<Commands extends object>(
  redis: Commands | OtherRedisClient,
  methods: readonly string[],
): redis is Commands {
  return (
    isRecord(redis) && ['evalsha', ...methods].every((name) => typeof Reflect.get(redis, name) === 'function')
  )
}
