/** An `Api` with the limiter that its calls go through: for a backend's application, and for a player. */
import type { Clock } from '../foundation/clock'
import { monotonic } from '../foundation/monotonic-clock'
import type { RateLimitUsage, RateLimitDelayedEvent, RateLimitedEvent, LimiterEvents, RateLimitStoreEvent } from '../rate-limit/events'
import { RateLimiter } from '../rate-limit/limiter'
import type { RateLimitStore } from '../rate-limit/shared/store'
import { limitsOf } from '../service/limits'
import type { ServiceConfig } from '../service/config'
import { Api, type ApiOptions } from './api'
import type { Credentials } from './credentials'
import { AbortGroup } from '../foundation/abort-group'
import { bucketsOf, everyBucket } from './route-limits'
import type { Transport } from './transport'

/** What is told of limits, with exact times: durations in ms, instants in epoch ms. What a listener throws is dropped. */
export interface LimitListeners {
  /** A call has to wait. */
  onRateLimitDelayed?: ((event: RateLimitDelayedEvent) => void) | undefined
  /** The service refused a call, or one was refused here because its wait would have been too long. */
  onRateLimited?: ((event: RateLimitedEvent) => void) | undefined
  /** The shared budget is out of reach, or is back. */
  onRateLimitStoreChanged?: ((event: RateLimitStoreEvent) => void) | undefined
}

export interface LimitedApiOptions extends LimitListeners {
  service: Readonly<ServiceConfig>
  credentials: Credentials
  transport: Transport
  clock: Clock
  /** ms for one exchange. */
  timeout: number
  /** ms that a call may wait for its limits. */
  maxWait: number
  /** A budget that several share. Default: this one alone. */
  store?: RateLimitStore | undefined
  /** Gets each refusal of the service before the call rejects with it. */
  onRefused?: ApiOptions['onRefused']
  /** The player whose limits count, asked at each call; absent for the application. */
  user?: (() => string) | undefined
}

export interface LimitedApi {
  readonly api: Api
  /** Every bucket in use. */
  limits(): RateLimitUsage[]
  /** Ends every block that a refusal has caused, in the shared budget too. What was sent stays counted. */
  clearBlocks(): Promise<void>
  /** Ends what waits and what is under way, and leaves the shared budget. */
  close(): void
}

/** ms beyond its deadline for which a request may still be out; a process that died holds its slots so long. */
const GRACE = 1000

/** @throws ConfigurationError `invalid_argument` for limits that are none. */
export function createLimitedApi(options: LimitedApiOptions): LimitedApi {
  const { service, credentials, transport, store, timeout, maxWait, user, onRefused } = options
  const clock = monotonic(options.clock)
  const limits = limitsOf(service)
  const abortGroup = new AbortGroup()
  const limiter = new RateLimiter({ clock: options.clock, hold: timeout + GRACE, events: eventsOf(options), ...(store && { store }) })
  const context = { service, credentials, transport, clock, timeout, limiter, maxWait, abortGroup, onRefused }
  return {
    api: new Api({ ...context, bucketsOf: (call) => bucketsOf(call, { limits, user: user?.() }) }),
    limits: () => limiter.limits(),
    clearBlocks: () => limiter.clearBlocks(everyBucket({ limits, user: user?.() })),
    close() {
      abortGroup.end()
      limiter.close()
    },
  }
}

function eventsOf({ onRateLimitDelayed, onRateLimited, onRateLimitStoreChanged }: LimitListeners): LimiterEvents {
  return { delayed: safe(onRateLimitDelayed), limited: safe(onRateLimited), shared: safe(onRateLimitStoreChanged) }
}

/** Whoever listens must not change who waits for what. */
function safe<Event>(listener: ((event: Event) => void) | undefined): (event: Event) => void {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // Its own fault, and its own to tell.
    }
  }
}
