/** Entry `foyer-sdk/redis`: one rate budget for the processes of an application. */
export { redisRateLimitStore } from './limiter-store'
export type { RedisCommands, RedisStoreOptions } from './limiter-store'
export type { Ask, Grant, RateLimitStore, Settlement, SharedBucket } from '../rate-limit/store'
