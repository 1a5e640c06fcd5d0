/** Maps API calls to the rate limit buckets that count them (docs/interface/rate-limits.md#limits). */
import type { BucketSpec } from '../rate-limit/bucket'
import type { Limit, LimitName, Limits, RouteName } from '../service/limits'

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

/** Key for fair queueing: requests of one lobby or guild do not hold up those of others. */
export const fairnessKeyOf = ({ ids }: Pick<RoutedCall, 'ids'>): string =>
  ids['lobby.id'] ?? ids['guild.id'] ?? ''
