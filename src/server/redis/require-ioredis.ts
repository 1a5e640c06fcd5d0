/** Checks that a Redis client is one of `ioredis`: others have methods of the same names that take other arguments. */
import { ConfigurationError } from '../../shared/foundation/errors'

/** @throws ConfigurationError `invalid_argument` unless the client has these methods, and `evalsha`, which only clients of `ioredis` have. */
export function requireIoredis(redis: unknown, methods: readonly string[]): void {
  const isMethod = (name: string) => redis instanceof Object && typeof Reflect.get(redis, name) === 'function'
  if (['evalsha', ...methods].every(isMethod)) return
  throw new ConfigurationError('invalid_argument', 'redis: a client of ioredis', { remedy: 'Pass new Redis(url)' })
}
