/** Modules of the limiter that the benchmarks use, bundled so that Node runs them as a game's server would. */
export { systemClock } from '../../src/foundation/clock'
export { parseRateLimitHeaders } from '../../src/rate-limit/rate-limit-info'
export { RateLimiter } from '../../src/rate-limit/rate-limiter'
export { redisRateLimitStore } from '../../src/redis/index'
