/** Events and usage data of a rate limiter. Waits are durations in ms, `resetAt` and `nextAt` are moments in epoch ms. */
import type { RateLimitErrorDetails } from '../foundation/errors'

/** A request must wait. */
export interface RateLimitDelayedEvent {
  /** Name of the limit, for example `join_lobby`. */
  readonly bucket: string
  /** Subject of the limit, for example a lobby id; empty if it has none. */
  readonly key: string
  /** ms until the earliest possible start. */
  readonly wait: number
  /** Earliest possible start, in epoch ms. */
  readonly resetAt: number
  /** Number of waiting requests before it. */
  readonly ahead: number
}

/** A limit is in force: the service rejected a request with 429, or the SDK rejected a call before sending it. */
export interface RateLimitedEvent {
  /** Name of the limit, for example `join_lobby`. */
  readonly bucket: string
  /** Subject of the limit, for example a lobby id; empty if it has none. */
  readonly key: string
  /** ms until the next attempt is possible. */
  readonly retryAfter: number
  /** The same moment in epoch ms. */
  readonly resetAt: number
  /** Scope of the limit. */
  readonly scope: RateLimitErrorDetails['scope']
  /** Party that rejected the call: the service with 429, or the SDK before sending it. */
  readonly by: 'service' | 'client'
}

/** The shared store became unavailable, or is available again. */
export interface RateLimitStoreEvent {
  /** True while the store is unavailable. */
  readonly isAway: boolean
  /** Number of parties that the limits are divided among meanwhile. */
  readonly parties: number
  /** Why the store is unavailable, as its client reports it. */
  readonly cause?: unknown
}

export interface LimiterEvents {
  delayed?: (event: RateLimitDelayedEvent) => void
  limited?: (event: RateLimitedEvent) => void
  shared?: (event: RateLimitStoreEvent) => void
}

/** Usage of one bucket, for a meter. `free + inFlight + releasing = limit`, unless the limit was just lowered. */
export interface RateLimitUsage {
  /** Name of the limit, for example `join_lobby`. */
  readonly bucket: string
  /** Subject of the limit, for example a lobby id; empty if it has none. */
  readonly key: string
  /** Requests allowed per window. */
  readonly limit: number
  /** Length of the window in ms. */
  readonly per: number
  /** Free slots. */
  readonly free: number
  /** Requests in flight. */
  readonly inFlight: number
  /** Slots of completed requests that are still within the window. */
  readonly releasing: number
  /** Calls that wait for a slot. */
  readonly waiting: number
  /** Time at which the next slot is free, in epoch ms; null if one is free, or if that depends on a response. */
  readonly nextAt: number | null
}
