/** Entry `foyer-sdk/redis`: one rate budget for the processes of an application. */
export { redisRateLimitStore } from './rate-limit-store'
export type { RedisCommands, RedisStoreOptions } from './rate-limit-store'
export type { AcquireRequest, Grant, RateLimitStore, Settlement, SharedBucket } from '../rate-limit/shared/store'
