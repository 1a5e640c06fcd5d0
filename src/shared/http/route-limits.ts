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

/**
 * The buckets of a call, the most specific first, since response headers describe that one; `global` comes last. All but those per player
 * count for the application: players who share a store on one machine share them (docs/interface/rate-limits.md#limits).
 */
export function bucketsOf(
  { method, route, ids }: RoutedCall,
  { limits, user = '' }: LimitOwner,
): BucketSpec[] {
  const routeName: RouteName = `${method} ${route}`
  const global = { name: 'global', key: '', ...limits.global }
  const name = LIMIT_NAMES.get(routeName)
  const own = limits[routeName]
  const configured = own ? [{ name: routeName, key: '', ...own }] : []
  if (name) return [{ name, key: user, ...limits[name] }, ...configured, global]
  if (own) return [...configured, global]
  // Routes without a documented limit are counted per guild (docs/interface/rate-limits.md#limits).
  const key = [user, ids['guild.id']].filter(Boolean).join(' ')
  return [{ name: routeName, key, ...UNKNOWN_LIMIT }, global]
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
