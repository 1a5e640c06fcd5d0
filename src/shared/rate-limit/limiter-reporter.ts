/** Reports the work of a limiter: events, errors and usage, with exact times. */
import { RateLimitError } from '../foundation/errors'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import type { Bucket } from './bucket'
import type { RateLimitUsage, LimiterEvents, RateLimitStoreEvent } from './limiter-events'
import type { Waiter } from './fair-queue'

export class LimiterReporter {
  readonly #clock: MonotonicClock
  readonly #events: LimiterEvents

  constructor(clock: MonotonicClock, events: LimiterEvents) {
    this.#clock = clock
    this.#events = events
  }

  /** Emits `delayed` for a request that must wait. */
  delayed(waiter: Waiter, bucket: Bucket, { wait, ahead }: { wait: number; ahead: number }): void {
    waiter.notified = true
    const { retryAfter, resetAt } = this.#times(wait)
    this.#events.delayed?.({ ...namesOf(bucket), wait: retryAfter, resetAt, ahead })
  }

  /** Emits `limited` for a 429. */
  refused(bucket: Bucket, wait: number): void {
    this.#events.limited?.({
      ...namesOf(bucket),
      ...this.#times(wait),
      scope: bucket.definition.scope,
      by: 'service',
    })
  }

  shared(state: RateLimitStoreEvent): void {
    this.#events.shared?.(state)
  }

  /** Emits `limited` and returns the error for a request that may not wait so long. */
  tooLong(bucket: Bucket, wait: number): RateLimitError {
    const details = { ...this.#times(wait), scope: bucket.definition.scope }
    this.#events.limited?.({ ...namesOf(bucket), ...details, by: 'client' })
    return new RateLimitError('rate_limited', { ...details, bucket: bucket.definition.name })
  }

  tooMany(bucket: string, wait: number): RateLimitError {
    return new RateLimitError('too_many_refusals', { ...this.#times(wait), bucket, scope: 'address' })
  }

  usage(bucket: Bucket): RateLimitUsage {
    const now = this.#clock.elapsed()
    const { limit, per } = bucket.rule
    const free = bucket.free(limit, now)
    const { inFlight, releasing, waiting } = bucket
    const at = bucket.nextChange(now)
    const nextAt = at > now && at < Number.POSITIVE_INFINITY ? this.#clock.now() + at - now : null
    return { ...namesOf(bucket), limit, per, free, inFlight, releasing, waiting, nextAt }
  }

  #times(wait: number) {
    const retryAfter = Math.ceil(wait)
    return { retryAfter, resetAt: Math.ceil(this.#clock.now() + retryAfter) }
  }
}

const namesOf = ({ definition, key }: Bucket) => ({ bucket: definition.name, key })
