/** Combines an `Api` with a rate limiter, for a backend's application or for a player. */
import { type Clock } from '../foundation/clock'
import { monotonic } from '../foundation/monotonic-clock'
import { requireNumber } from '../foundation/options'
import { requireMethods } from '../foundation/take-options'
import type {
  RateLimitUsage,
  RateLimitDelayedEvent,
  RateLimitedEvent,
  LimiterEvents,
  RateLimitStoreEvent,
} from '../rate-limit/limiter-events'
import type { BucketSpec } from '../rate-limit/bucket'
import type { CircuitBreakerRule } from '../rate-limit/circuit-breaker'
import { RateLimiter } from '../rate-limit/rate-limiter'
import type { RateLimitStore } from '../rate-limit/store-port'
import { limitsOf } from '../service/limits'
import type { ServiceConfig } from '../service/service-config'
import { Api, type ApiOptions, type Limiter } from './api'
import type { Credentials } from './credentials'
import { AbortGroup } from '../foundation/async'
import { configuredBuckets, RouteLimits } from './route-limits'
import type { Transport } from './transport'

/** Rate limit events with exact times: durations in ms, moments in epoch ms. Errors that a listener throws are ignored. */
export interface LimitListeners {
  /** A call must wait. */
  onRateLimitDelayed?: ((event: RateLimitDelayedEvent) => void) | undefined
  /** The service rejected a call with 429, or the SDK rejected one because its wait would have been too long. */
  onRateLimited?: ((event: RateLimitedEvent) => void) | undefined
  /** The shared store became unavailable, or is available again. */
  onRateLimitStoreChanged?: ((event: RateLimitStoreEvent) => void) | undefined
}

export interface LimitedApiOptions extends LimitListeners {
  service: Readonly<ServiceConfig>
  credentials: Credentials
  transport: Transport
  clock: Clock
  /** ms per request. */
  timeout: number
  /** ms that a call may wait for its rate limits. */
  maxWait: number
  /** Store shared with other clients. Default: limits are counted for this client alone. */
  store?: RateLimitStore | undefined
  /** Refusals after which nothing is sent for a while. Default: those of an address. */
  breaker?: CircuitBreakerRule
  /** A further limit, for calls of low priority. Default: none. */
  background?: BucketSpec
  /** Called with each error response before the call rejects. */
  onRefused?: ApiOptions['onRefused']
}

export interface LimitedApi {
  readonly api: Api
  /** What `api` asks before each request. */
  readonly limiter: Limiter
  /** Pending requests, cancelled by `close`; also those to which no limits apply. */
  readonly abortGroup: AbortGroup
  /** Usage of every bucket in use. */
  limits(): RateLimitUsage[]
  /** Removes all blocks caused by 429 responses, also in the shared store, for a player or the application. Sent requests stay counted. */
  clearBlocks(userId?: string): Promise<void>
  /** Cancels waiting and running requests and leaves the shared store. */
  close(): void
}

/** ms beyond its deadline for which a request still counts as running; also the time after which the slots of a dead process are freed. */
const HOLD_GRACE = 1000

const STORE = {
  name: 'rateLimitStore',
  methods: ['acquire', 'settle'],
  example: 'redisRateLimitStore(new Redis(url))',
}

/** @throws ConfigurationError `invalid_argument` for invalid limits, or a store without the methods of one. */
export function createLimitedApi(options: LimitedApiOptions): LimitedApi {
  const { service, credentials, transport, store, timeout, maxWait, onRefused, breaker, background } = options
  requireMethods(store, STORE)
  requireNumber(maxWait, 'maxWait', { kind: 'ms', example: '5000' })
  const clock = monotonic(options.clock)
  const limits = limitsOf(service)
  const routes = new RouteLimits(limits)
  const abortGroup = new AbortGroup()
  const limiter = new RateLimiter({
    clock: options.clock,
    hold: timeout + HOLD_GRACE,
    events: eventsOf(options),
    store,
    breaker,
  })
  const context = { service, credentials, transport, clock, timeout, limiter, maxWait, abortGroup, onRefused }
  return {
    api: new Api({
      ...context,
      bucketsOf: (call, user) => {
        const buckets = routes.bucketsOf(call, user)
        return background && call.priority === 'low' ? [...buckets, background] : buckets
      },
    }),
    limiter,
    abortGroup,
    limits: () => limiter.limits(),
    clearBlocks: (user) => limiter.clearBlocks(configuredBuckets({ limits, user })),
    close() {
      abortGroup.end()
      limiter.close()
    },
  }
}

function eventsOf({
  onRateLimitDelayed,
  onRateLimited,
  onRateLimitStoreChanged,
}: LimitListeners): LimiterEvents {
  return {
    delayed: ignoreErrors(onRateLimitDelayed),
    limited: ignoreErrors(onRateLimited),
    shared: ignoreErrors(onRateLimitStoreChanged),
  }
}

/** Listener errors must not change the order of waiting requests. */
function ignoreErrors<Event>(listener: (event: Event) => void = () => undefined): (event: Event) => void {
  return (event) => {
    try {
      listener(event)
    } catch {
      // Ignored: the error is the listener's own.
    }
  }
}
