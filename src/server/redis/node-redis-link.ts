/** Clients of node-redis, of version 5 or later, with the methods of `ioredis`. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { RedisSubscriber } from './note-channel'
import type { RedisLink } from './redis-commands'

/** Required methods of a client of node-redis (`createClient` of the package `redis`), connected. */
export interface NodeRedisClient {
  /** True while commands can be sent. */
  readonly isReady: boolean
  /** Sends a command as it is written in Redis. */
  sendCommand(args: readonly string[]): Promise<unknown>
  /** Creates a client with the same options, not connected. */
  duplicate(): NodeRedisSubscriber
  /** Opens the connection. */
  connect(): Promise<unknown>
  /** Closes the connection at once. */
  destroy(): void
}

/** Required methods of the connection that receives notes. */
export interface NodeRedisSubscriber {
  /** Adds a listener for errors of the connection, or for its being usable (again). */
  on(event: 'error' | 'ready', listener: (error: Error) => void): unknown
  /** Opens the connection. */
  connect(): Promise<unknown>
  /** Starts a subscription, and renews it after a reconnect. */
  subscribe(channel: string, listener: (text: string, channel: string) => void): Promise<unknown>
  /** Closes the connection at once. */
  destroy(): void
}

export function isNodeRedis(redis: unknown): redis is NodeRedisClient {
  if (!isRecord(redis) || typeof Reflect.get(redis, 'isReady') !== 'boolean') return false
  return ['sendCommand', 'duplicate', 'connect', 'destroy'].every(
    (name) => typeof Reflect.get(redis, name) === 'function',
  )
}

/** A silent connection is destroyed and opened anew: the client's own reconnect does not begin while the connection is open. */
export function nodeRedisLink(redis: NodeRedisClient): RedisLink {
  const send = (...args: readonly (string | number)[]): Promise<unknown> =>
    redis.sendCommand(args.map(String))
  return {
    get status() {
      return redis.isReady ? 'ready' : 'end'
    },
    options: optionsOf(redis),
    script: (subcommand, source) => send('SCRIPT', subcommand, source),
    evalsha: (hash, keys, ...rest) => send('EVALSHA', hash, keys, ...rest),
    eval: (source, keys, ...rest) => send('EVAL', source, keys, ...rest),
    set: (key: string, ...rest: readonly (string | number | undefined)[]) =>
      send('SET', key, ...rest.filter((each) => each !== undefined)),
    get: (key) => send('GET', key),
    getdel: (key) => send('GETDEL', key),
    del: (key) => send('DEL', key),
    info: (section) => send('INFO', section),
    publish: (channel, text) => send('PUBLISH', channel, text),
    disconnect() {
      redis.destroy()
      redis.connect().catch(() => undefined)
    },
    duplicate: () => subscriberOf(redis.duplicate()),
  }
}

/** Notes of another database are for other hubs. */
function optionsOf(redis: NodeRedisClient): { db?: number } {
  const options: unknown = Reflect.get(redis, 'options')
  const database = isRecord(options) ? options['database'] : undefined
  return typeof database === 'number' ? { db: database } : {}
}

function subscriberOf(redis: NodeRedisSubscriber): RedisSubscriber {
  const onMessage: ((channel: string, text: string) => void)[] = []
  let opened: Promise<unknown> | undefined
  const open = () => (opened ??= redis.connect())
  return {
    status: 'wait',
    connect: open,
    async subscribe(channel) {
      await open()
      return redis.subscribe(channel, (text, from) => onMessage.forEach((listener) => listener(from, text)))
    },
    on(event: 'message' | 'ready' | 'error', listener: (...args: [string, string] & [Error]) => void) {
      if (event === 'message')
        onMessage.push((channel, text) => Reflect.apply(listener, undefined, [channel, text]))
      else redis.on(event, (error) => Reflect.apply(listener, undefined, [error]))
    },
    disconnect: () => redis.destroy(),
  }
}
