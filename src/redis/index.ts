/** Entry `foyer-sdk/redis`: rate limits shared by the processes of an application. @module foyer-sdk/redis */
export { redisRateLimitStore } from './rate-limit-store'
export type { RedisCommands, RedisStoreOptions } from './rate-limit-store'
export type { AcquireRequest, Grant, RateLimitStore, Settlement, SharedBucket } from '../rate-limit/shared/store-port'
