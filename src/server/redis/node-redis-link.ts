/** Clients of node-redis, of version 5 or later, with the methods of `ioredis`: of one server, of Sentinels and of a cluster. */
import { NetworkError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { RedisSubscriber } from './note-channel'
import type { RedisLink } from './redis-commands'
import { refuseBroker } from './refuse-broker'

/** Methods that a client of one server, one of Sentinels and one of a cluster share. */
export interface NodeRedisConnection {
  /** True from `connect` to `destroy`. */
  readonly isOpen: boolean
  /** Creates a client with the same options, not connected. Missing in the client for Sentinels of version 5. */
  duplicate?(): NodeRedisSubscriber
  /** Opens the connection. */
  connect(): Promise<unknown>
  /** Closes the connection at once. */
  destroy(): unknown
}

/** Required methods of a client of node-redis (`createClient` of the package `redis`), connected. */
export interface NodeRedisClient extends NodeRedisConnection {
  /** True while commands can be sent. */
  readonly isReady: boolean
  /** Sends a command as it is written in Redis. */
  sendCommand(args: readonly string[]): Promise<unknown>
}

/** Required methods of a client for Sentinels (`createSentinel` of the package `redis`), connected. */
export interface NodeRedisSentinel extends NodeRedisConnection {
  /** Sends a command to the master. */
  sendCommand(...command: [isReadonly: false, args: string[]]): Promise<unknown>
  /** Not called: tells it from other clients. */
  getMasterNode(): unknown
}

/** Required methods of a client of a cluster (`createCluster` of the package `redis`), connected. */
export interface NodeRedisCluster extends NodeRedisConnection {
  /** Sends a command to the master of a key. */
  sendCommand(...command: [firstKey: string | undefined, isReadonly: false, args: string[]]): Promise<unknown>
  /** Not called: tells it from other clients. */
  getRandomNode(): unknown
}

/** A client of node-redis of any kind. */
export type AnyNodeRedis = NodeRedisClient | NodeRedisSentinel | NodeRedisCluster

/** Required methods of the connection that receives notes. */
export interface NodeRedisSubscriber {
  /** Adds a listener for errors of the connection, or for its being usable (again). */
  on(event: 'error' | 'ready', listener: (error: Error) => void): unknown
  /** Opens the connection. */
  connect(): Promise<unknown>
  /** Starts a subscription, and renews it after a reconnect. */
  subscribe(channel: string, listener: (text: string, channel: string) => void): Promise<unknown>
  /** Closes the connection at once. */
  destroy(): unknown
}

/** A connection of its own receives notes: that of commands is replaced when it is silent. */
export const NO_DUPLICATE =
  'The client for Sentinels of node-redis 5 has no duplicate(): give the hub one of node-redis 6 or of ioredis'

const UNCONNECTED = 'This client of node-redis is not connected: await client.connect()'

export function isNodeRedis(redis: unknown): redis is AnyNodeRedis {
  if (!isRecord(redis) || typeof Reflect.get(redis, 'isOpen') !== 'boolean') return false
  return ['sendCommand', 'connect', 'destroy'].every((name) => typeof Reflect.get(redis, name) === 'function')
}

const isSentinel = (redis: AnyNodeRedis): redis is NodeRedisSentinel => 'getMasterNode' in redis
const isCluster = (redis: AnyNodeRedis): redis is NodeRedisCluster => 'getRandomNode' in redis

/** The three kinds take a command in three ways. */
function sender(redis: AnyNodeRedis): (key: string | undefined, args: string[]) => Promise<unknown> {
  if (isSentinel(redis)) return (_, args) => redis.sendCommand(false, args)
  if (isCluster(redis)) return (key, args) => redis.sendCommand(key, false, args)
  return (_, args) => redis.sendCommand(args)
}

/** Clients of several servers are ready as long as one of them is: which one is silent, they do not say. */
const isUsable = (redis: AnyNodeRedis): boolean =>
  isSentinel(redis) || isCluster(redis) ? redis.isOpen : redis.isReady

/**
 * A silent connection is destroyed and opened anew: the client's own reconnect does not begin while the connection is open. Clients of
 * several servers find the new master in this way too. Their `connect` fails while there is none, and is repeated with the next command.
 */
export function nodeRedisLink(redis: AnyNodeRedis): RedisLink {
  const send = sender(redis)
  let wasOpen = false
  let isReplaced = false
  let opening: Promise<unknown> | undefined
  const reopen = (): void => {
    opening ??= redis.connect().then(
      () => (isReplaced = false),
      () => undefined,
    )
    void opening.finally(() => (opening = undefined))
  }
  const call = async (key: string | undefined, ...args: readonly (string | number | undefined)[]) => {
    wasOpen ||= redis.isOpen
    if (isReplaced) reopen()
    try {
      return await send(key, args.filter((each) => each !== undefined).map(String))
    } catch (error) {
      if (wasOpen) throw error
      throw new NetworkError('connection_failed', 'redis', { cause: error, remedy: UNCONNECTED })
    }
  }
  const callScript = (command: string, keys: number, ...rest: readonly (string | number)[]) =>
    call(keys > 0 ? String(rest[1]) : undefined, command, String(rest[0]), keys, ...rest.slice(1))
  const replace = async (): Promise<void> => {
    await redis.destroy()
    isReplaced = true
    reopen()
  }
  return {
    get status() {
      return isUsable(redis) ? 'ready' : 'end'
    },
    options: optionsOf(redis),
    script: (subcommand, source) => call(undefined, 'SCRIPT', subcommand, source),
    evalsha: (hash, keys, ...rest) => callScript('EVALSHA', keys, hash, ...rest),
    eval: (source, keys, ...rest) => callScript('EVAL', keys, source, ...rest),
    set: (key: string, ...rest: readonly (string | number | undefined)[]) => call(key, 'SET', key, ...rest),
    get: (key) => call(key, 'GET', key),
    getdel: (key) => call(key, 'GETDEL', key),
    del: (key) => call(key, 'DEL', key),
    info: (section) => call(undefined, 'INFO', section),
    publish: (channel, text) => call(undefined, 'PUBLISH', channel, text),
    disconnect: () => void replace().catch(() => undefined),
    duplicate: () => subscriberOf(redis.duplicate?.() ?? refuseBroker(NO_DUPLICATE)),
  }
}

/** Notes of another database are for other hubs. */
function optionsOf(redis: AnyNodeRedis): { db?: number } {
  const options: unknown = Reflect.get(redis, 'options')
  const database = isRecord(options) ? options['database'] : undefined
  return typeof database === 'number' ? { db: database } : {}
}

/** Some clients of several servers have no event for a connection that is usable: for them it is the end of `connect`. */
function subscriberOf(redis: NodeRedisSubscriber): RedisSubscriber {
  const onMessage: ((channel: string, text: string) => void)[] = []
  const onReady: (() => void)[] = []
  // One function, since the client adds each other one: notes would arrive as often as it has reconnected.
  const receive = (text: string, from: string) => onMessage.forEach((listener) => listener(from, text))
  let isReady = false
  const report = (): void => {
    isReady = true
    for (const listener of onReady) listener()
  }
  redis.on('ready', report)
  const open = async (): Promise<void> => {
    await redis.connect()
    if (!isReady) report()
  }
  const close = async (): Promise<unknown> => redis.destroy()
  let opened: Promise<void> | undefined
  return {
    status: 'wait',
    connect: () => (opened ??= open()),
    async subscribe(channel) {
      await opened
      return redis.subscribe(channel, receive)
    },
    on(event: 'message' | 'ready' | 'error', listener: (...args: [string, string] & [Error]) => void) {
      if (event === 'message')
        onMessage.push((channel, text) => Reflect.apply(listener, undefined, [channel, text]))
      else if (event === 'ready') onReady.push(() => Reflect.apply(listener, undefined, []))
      else redis.on(event, (error) => Reflect.apply(listener, undefined, [error]))
    },
    disconnect: () => void close().catch(() => undefined),
  }
}
