/** Methods of a Redis client that the stores and the broker use, as clients of `ioredis` have them. */
import type { RedisSubscriber } from './note-channel'
import type { RedisCommands } from './run-script'
import type { SetupCommands } from './setup-report'
import type { ReplaceableConnection } from './watch-connection'

/** Required methods of a Redis client for `redisStore`, as of an `ioredis` client or cluster. */
export interface RedisSetCommand extends ReplaceableConnection, SetupCommands {
  /** Stores a text for `ttl` ms unless the key exists (`SET … PX … NX`). Resolves with `OK`, or with null if it exists. */
  set(key: string, ...value: [text: string, px: 'PX', ttl: number, nx: 'NX']): Promise<unknown>
  /** Stores a text for `ttl` ms (`SET … PX …`). */
  set(key: string, ...value: [text: string, px: 'PX', ttl: number]): Promise<unknown>
  /** Reads a text (`GET`). */
  get(key: string): Promise<unknown>
  /** Removes a text and returns it (`GETDEL`, of Redis 6.2). */
  getdel(key: string): Promise<unknown>
  /** Deletes a key (`DEL`). */
  del(key: string): Promise<unknown>
  /** Not called: tells a client of `ioredis` from others, whose `set` takes other arguments. */
  evalsha(sha: string, keys: number, ...rest: (string | number)[]): Promise<unknown>
}

/** Required methods of a Redis client for `redisSessionStore`, as of an `ioredis` client or cluster. */
export interface RedisSessionCommands extends RedisCommands {
  /** Reads a text (`GET`). */
  get(key: string): Promise<unknown>
  /** Stores a text for `ttl` ms (`SET … PX`), with `NX` unless the key exists. */
  set(key: string, ...value: [text: string, px: 'PX', ttl: number, nx?: 'NX']): Promise<unknown>
  /** Deletes a key (`DEL`). */
  del(key: string): Promise<unknown>
}

/** Required methods of a Redis client for the lobby broker, as of an `ioredis` client or cluster. */
export interface RedisBrokerCommands extends RedisCommands {
  /** Publishes a message (`PUBLISH`). */
  publish(channel: string, text: string): Promise<unknown>
  /** Options of the client: its `keyPrefix` and its database reach keys only, so that the channel is named after them too. */
  readonly options?: { readonly keyPrefix?: string | undefined; readonly db?: number | string | undefined }
  /** Creates another connection with the same options: a subscribed connection cannot send commands. */
  duplicate(): RedisSubscriber
}

/** Every command that the stores and the broker send. */
export type RedisLink = RedisBrokerCommands & RedisSessionCommands & RedisSetCommand
