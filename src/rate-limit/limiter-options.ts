/** What a limiter is made with, and what is asked of it. */
import type { Clock } from '../foundation/clock'
import type { CircuitBreakerRule } from './circuit-breaker'
import type { BucketSpec } from './bucket'
import type { LimiterEvents } from './events'
import type { Priority } from './fair-queue'
import type { Permit } from './permit'
import type { RateLimitStore } from './shared/store'

export interface LimiterOptions {
  clock: Clock
  /** A budget that several tabs or processes share. Default: this limiter alone. */
  store?: RateLimitStore
  /** How many share it until the store has said so. Default: what the store says of itself, else 1. */
  parties?: number
  /** ms that a request may be out. Default 60,000. */
  hold?: number
  /** For a lock: nothing starts without the store, nor within so many ms after it may have forgotten what it had granted. */
  fence?: number
  /** When this address stops sending. Default: fewer at once from 500 refusals in 10 minutes on, none at 5,000. */
  breaker?: CircuitBreakerRule
  events?: LimiterEvents
}

export interface LimitRequest {
  /** Every limit that counts this request, the most particular first. */
  buckets: readonly BucketSpec[]
  /** Parties take turns: one that sends a thousand requests does not hold up the others. Default: all are one. */
  party?: string | undefined
  /** Default `normal`. */
  priority?: Priority | undefined
  /** ms that it may wait. Default: for ever. */
  maxWait?: number | undefined
  signal?: AbortSignal | undefined
  /** For a request that the service has refused: the lease that it had. It goes before those that came after it. */
  again?: Permit | undefined
}
