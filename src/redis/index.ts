/** Entry `foyer-sdk/redis`: rate limits and live lobbies shared by the processes of an application. @module foyer-sdk/redis */
export { redisRateLimitStore } from './rate-limit-store'
export type { RedisStoreOptions } from './rate-limit-store'
export type { RedisCommands } from './run-script'
export { redisLobbyBroker } from './lobby-broker'
export type { RedisBrokerCommands, RedisLobbyBrokerOptions, RedisSubscriber } from './lobby-broker'
export type { BrokerListener, LobbyBroker, VersionedText } from '../lobby-hub/lobby-broker'
export type { AcquireRequest, Grant, RateLimitStore, Settlement, SharedBucket } from '../rate-limit/shared/store-port'
