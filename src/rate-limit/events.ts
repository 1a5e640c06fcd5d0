/** What a limiter tells while it works. Every time is given twice: as a duration in ms and as an instant in epoch ms. */
import type { RateLimitErrorDetails } from '../foundation/errors'

/** A request has to wait. */
export interface RateLimitDelayedEvent {
  readonly bucket: string
  readonly key: string
  /** ms until it can start at the earliest. */
  readonly wait: number
  readonly resetAt: number
  /** How many wait before it. */
  readonly ahead: number
}

/** A limit is in force: the service refused a request, or a call was refused here before it left. */
export interface RateLimitedEvent {
  readonly bucket: string
  readonly key: string
  readonly retryAfter: number
  readonly resetAt: number
  readonly scope: RateLimitErrorDetails['scope']
  readonly by: 'service' | 'client'
}

/** The shared budget is out of reach, or is back. */
export interface RateLimitStoreEvent {
  readonly isAway: boolean
  /** Among how many a budget is divided meanwhile. */
  readonly parties: number
}

export interface LimiterEvents {
  delayed?: (event: RateLimitDelayedEvent) => void
  limited?: (event: RateLimitedEvent) => void
  shared?: (event: RateLimitStoreEvent) => void
}

/** One bucket's use, for a meter. `free + inFlight + releasing = limit`, unless the limit has just shrunk. */
export interface RateLimitUsage {
  readonly bucket: string
  readonly key: string
  readonly limit: number
  readonly per: number
  readonly free: number
  readonly inFlight: number
  readonly releasing: number
  readonly waiting: number
  /** When the next slot is free, in epoch ms; null when one is, or when that depends on an answer. */
  readonly nextAt: number | null
}
