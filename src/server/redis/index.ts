/** Entry `foyer-sdk/redis`: rate limits, live lobbies and used signatures shared by the processes of an application. @module foyer-sdk/redis */
export { redisRateLimitStore } from './rate-limit-store'
export type { RedisStoreOptions } from './rate-limit-store'
export type { RedisCommands } from './run-script'
export type { RedisBrokerCommands, RedisSessionCommands, RedisSetCommand } from './redis-commands'
export type { OtherRedisClient } from './redis-link'
export type {
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisConnection,
  NodeRedisSentinel,
  NodeRedisSubscriber,
} from './node-redis-link'
export type { HttpRedisClient } from './http-redis-link'
export { redisStore } from './redis-replay-store'
export type { RedisReplayStore, RedisReplayStoreOptions } from './redis-replay-store'
export { redisSessionStore } from './redis-session-store'
export type { RedisSessionStoreOptions } from './redis-session-store'
export type { SessionStore } from '../sessions/session-store'
export { redisPurchaseStore } from './redis-purchase-store'
export type { RedisPurchaseStoreOptions } from './redis-purchase-store'
export type { PurchaseState, PurchaseStore } from '../purchases/purchase-store'
export { redisLobbyBroker } from './redis-lobby-broker'
export type { RedisLobbyBrokerOptions } from './redis-lobby-broker'
export type { RedisSubscriber } from './note-channel'
export type { BrokerListener, LobbyBroker, VersionedText } from '../hub/lobby-broker'
export type {
  AcquireRequest,
  Grant,
  RateLimitStore,
  Settlement,
  SharedBucket,
} from '../../shared/rate-limit/store-port'
