/** Options of a rate limiter, and of the requests sent through it. */
import type { Clock } from '../foundation/clock'
import type { CircuitBreakerRule } from './circuit-breaker'
import type { BucketSpec } from './bucket'
import type { LimiterEvents } from './limiter-events'
import type { Priority } from './fair-queue'
import type { Permit } from './permit'
import type { RateLimitStore } from './store-port'

export interface LimiterOptions {
  clock: Clock
  /** Store shared with other tabs or processes. Default: limits are counted for this limiter alone. */
  store?: RateLimitStore | undefined
  /** Number of parties until the store has reported it. Default: the store's own estimate, else 1. */
  parties?: number
  /** Maximum ms that a request may be in flight. Default 60,000. */
  hold?: number
  /** For locks, ms: nothing starts without the store, nor within this time after the store may have lost its grants. */
  fence?: number
  /** Thresholds of the circuit breaker. Default: reduced concurrency from 500 refusals in 10 minutes, a stop at 5,000. */
  breaker?: CircuitBreakerRule | undefined
  events?: LimiterEvents
}

export interface LimitRequest {
  /** Every limit that counts this request, the most specific first. */
  buckets: readonly BucketSpec[]
  /** Key for fair queueing: requests with different keys take turns. Default: all requests share one key. */
  fairnessKey?: string | undefined
  /** Default `normal`. */
  priority?: Priority | undefined
  /** Maximum wait in ms. Default: unlimited. */
  maxWait?: number | undefined
  signal?: AbortSignal | undefined
  /** For a retry after a 429: the request's first permit. The retry goes before requests that came later. */
  retryOf?: Permit | undefined
}
