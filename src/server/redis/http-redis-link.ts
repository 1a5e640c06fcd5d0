/** Clients of Redis over HTTP, such as `@upstash/redis`, with the methods of `ioredis` that need no open connection. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { RedisLink } from './redis-commands'
import { refuseBroker } from './refuse-broker'

/** Required methods of a client of `@upstash/redis`. */
export interface HttpRedisClient {
  /** Loads a script, and resolves with its hash. */
  scriptLoad(source: string): Promise<unknown>
  /** Runs a loaded script. */
  evalsha(hash: string, keys: string[], args: unknown[]): Promise<unknown>
  /** Runs a script. */
  eval(source: string, keys: string[], args: unknown[]): Promise<unknown>
}

export const NO_BROKER =
  'Redis over HTTP has no subscriptions: give the hub a client of ioredis or of node-redis'

export function isHttpRedis(redis: unknown): redis is HttpRedisClient {
  return (
    isRecord(redis) &&
    ['scriptLoad', 'evalsha', 'eval'].every((name) => typeof Reflect.get(redis, name) === 'function')
  )
}

/** Single commands are scripts too. A mark before each text keeps the client from turning JSON into an object. */
const READ = (command: string): string =>
  `local text = redis.call('${command}', KEYS[1]) return text and '=' .. text`
const SET = "local reply = redis.call('SET', KEYS[1], unpack(ARGV)) return reply and 'OK'"
const DEL = "return redis.call('DEL', KEYS[1])"

export function httpRedisLink(client: HttpRedisClient): RedisLink {
  const redis: HttpRedisClient = {
    scriptLoad: (...args) => withoutCommand(client.scriptLoad(...args)),
    evalsha: (...args) => withoutCommand(client.evalsha(...args)),
    eval: (...args) => withoutCommand(client.eval(...args)),
  }
  const read = (command: string) => async (key: string) => {
    const reply = await redis.eval(READ(command), [key], [])
    return typeof reply === 'string' ? reply.slice(1) : null
  }
  return {
    script: (_, source) => redis.scriptLoad(source),
    evalsha: (hash, keys, ...rest) => redis.evalsha(hash, ...split(keys, rest)),
    eval: (source, keys, ...rest) => redis.eval(source, ...split(keys, rest)),
    get: read('GET'),
    set: (key: string, ...rest: readonly (string | number | undefined)[]) =>
      redis.eval(SET, [key], rest.filter((each) => each !== undefined).map(String)),
    getdel: read('GETDEL'),
    del: (key) => redis.eval(DEL, [key], []),
    publish: refuse,
    duplicate: refuse,
  }
}

const split = (keys: number, rest: readonly (string | number)[]): [string[], unknown[]] => [
  rest.slice(0, keys).map(String),
  rest.slice(keys).map(String),
]

const refuse = (): never => refuseBroker(NO_BROKER)

/** The client puts the whole command into its errors: it may hold what nobody should read in a log. */
function withoutCommand(reply: Promise<unknown>): Promise<unknown> {
  return reply.catch((error: unknown) => {
    const text = error instanceof Error ? error.message : 'no reply'
    throw new Error(text.replace(/,? command was:[^]*$/, '').replace(/^Command failed: /, ''))
  })
}
