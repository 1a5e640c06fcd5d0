/** Modules of the limiter that the benchmarks use, bundled so that Node runs them as a game's server would. */
export { parseRateLimitHeaders, RateLimiter, systemClock } from '../../test/support/internals'
export { redisRateLimitStore } from '../../src/server/redis/index'
