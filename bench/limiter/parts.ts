/** What the benches need of the limiter, bundled so that Node runs it as a game's server would. */
export { systemClock } from '../../src/foundation/clock'
export { parseRateLimitHeaders } from '../../src/rate-limit/response-headers'
export { RateLimiter } from '../../src/rate-limit/limiter'
export { redisRateLimitStore } from '../../src/redis/index'
