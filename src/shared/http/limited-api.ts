/** Combines an `Api` with a rate limiter, for a backend's application or for a player, and maps its calls to the limits that count them. */
import { AbortGroup } from '../foundation/async'
import type { Clock } from '../foundation/clock'
import { monotonic } from '../foundation/monotonic-clock'
import { requireNumber } from '../foundation/options'
import type { BucketSpec } from '../rate-limit/bucket'
import type { CircuitBreakerRule } from '../rate-limit/circuit-breaker'
import type {
  RateLimitUsage,
  RateLimitDelayedEvent,
  RateLimitedEvent,
  LimiterEvents,
  RateLimitStoreEvent,
} from '../rate-limit/limiter-events'
import { RateLimiter } from '../rate-limit/rate-limiter'
import type { RateLimitStore } from '../rate-limit/store-port'
import { limitsOf, type Limit, type LimitName, type Limits, type RouteName } from '../service/limits'
import type { ServiceConfig } from '../service/service-config'
import { Api, type ApiOptions, type Limiter, type Credentials } from './api'
import type { Transport } from './http-client'

/** Rate limit events with exact times: durations in ms, moments in epoch ms. Errors that a listener throws are ignored. */
export interface LimitListeners {
  /** A call must wait. */
  onRateLimitDelayed?: ((event: RateLimitDelayedEvent) => void) | undefined
  /** The service rejected a call with 429, or the SDK rejected one because its wait would have been too long. */
  onRateLimited?: ((event: RateLimitedEvent) => void) | undefined
  /** The shared store became unavailable, or is available again. Default of a backend: each cause once in the console. */
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
  /** The check that `api` makes before each request. */
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

/** @throws ConfigurationError `invalid_argument` for invalid limits. */
export function createLimitedApi(options: LimitedApiOptions): LimitedApi {
  const { service, credentials, transport, store, timeout, maxWait, onRefused, breaker, background } = options
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

// The limits of a call (docs/interface/rate-limits.md#limits).

/** The part of a call that selects its buckets. */
export interface RoutedCall {
  readonly method: string
  readonly route: string
  readonly ids: Readonly<Record<string, string>>
}

/** The caller, whose limits apply. */
export interface LimitOwner {
  readonly limits: Limits
  /**
   * The player's id, for limits per player (docs/interface/rate-limits.md#limits); absent for the application
   * (docs/interface/rate-limits.md#limits).
   */
  readonly user?: string | undefined
}

const LIMIT_NAMES: ReadonlyMap<string, LimitName> = new Map([
  // Per application (docs/interface/rate-limits.md#limits).
  ['POST /lobbies', 'create_lobby'],
  ['GET /lobbies/{lobby.id}', 'get_lobby'],
  ['DELETE /lobbies/{lobby.id}', 'delete_lobby'],
  ['PUT /lobbies/{lobby.id}/members/{user.id}', 'add_lobby_member'],
  ['DELETE /lobbies/{lobby.id}/members/{user.id}', 'remove_lobby_member'],
  // Per player (docs/interface/rate-limits.md#limits).
  ['PUT /lobbies', 'join_lobby'],
  ['POST /lobbies/{lobby.id}/messages', 'send_message'],
])

/** Placeholder for a route without a known limit: the limiter starts with a few concurrent requests and adapts. */
const UNKNOWN_LIMIT: Limit = { limit: Number.POSITIVE_INFINITY, per: 1000 }

/** Buckets of a route. */
interface RouteBuckets {
  /** The one that counts for the caller, and for the guild if the route has no documented limit. */
  readonly own: Omit<BucketSpec, 'key'> | undefined
  readonly isPerGuild: boolean
  /** Those that count for the application. */
  readonly shared: readonly BucketSpec[]
  /** All, for calls of the application that are about no guild. */
  readonly ofApplication: readonly BucketSpec[]
}

/** The limits of a deployment by route. What does not depend on the call is made once. */
export class RouteLimits {
  readonly #limits: Limits
  /** By route, and then by method: to make one text of both for each call takes longer. */
  readonly #routes = new Map<string, Map<string, RouteBuckets>>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * The buckets of a call, the most specific first, since response headers describe that one; `global` comes last. All but those per player
   * count for the application: players who share a store on one machine share them (docs/interface/rate-limits.md#limits).
   *
   * @param user the player's id, for limits per player; absent for the application.
   */
  bucketsOf({ method, route, ids }: RoutedCall, user = ''): readonly BucketSpec[] {
    const { own, isPerGuild, shared, ofApplication } =
      this.#routes.get(route)?.get(method) ?? this.#add(method, route)
    if (!own) return shared
    // Routes without a documented limit are counted per guild (docs/interface/rate-limits.md#limits).
    const guild = (isPerGuild && ids['guild.id']) || ''
    const key = user && guild ? `${user} ${guild}` : user + guild
    return key === '' ? ofApplication : [{ ...own, key }, ...shared]
  }

  #add(method: string, route: string): RouteBuckets {
    const routeName: RouteName = `${method} ${route}`
    const { [routeName]: configured, global } = this.#limits
    const name = LIMIT_NAMES.get(routeName)
    const own = name
      ? { name, ...this.#limits[name] }
      : configured
        ? undefined
        : { name: routeName, ...UNKNOWN_LIMIT }
    const shared = [
      ...(configured ? [{ name: routeName, key: '', ...configured }] : []),
      { name: 'global', key: '', ...global },
    ]
    const ofApplication = own ? [{ ...own, key: '' }, ...shared] : shared
    const buckets = { own, isPerGuild: name === undefined, shared, ofApplication }
    const byMethod = this.#routes.get(route) ?? new Map<string, RouteBuckets>()
    this.#routes.set(route, byMethod.set(method, buckets))
    return buckets
  }
}

/** All buckets that the deployment configures, for one caller. The shared store may hold blocks of any of them from earlier. */
export function configuredBuckets({ limits, user = '' }: LimitOwner): BucketSpec[] {
  return Object.entries<Limit | undefined>(limits).flatMap(([name, rule]) => {
    const isShared = name === 'global' || name.includes(' ')
    return rule ? [{ name, key: isShared ? '' : user, ...rule }] : []
  })
}
