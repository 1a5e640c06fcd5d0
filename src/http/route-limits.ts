/** Which limits count a call: the interface's routes and the buckets that it names for them (S:365-369). */
import type { BucketSpec } from '../rate-limit/bucket'
import type { Limit, LimitName, Limits, RouteName } from '../service/limits'

/** Of one call. */
export interface Routed {
  readonly method: string
  readonly route: string
  readonly ids: Readonly<Record<string, string>>
}

/** Whose calls are counted. */
export interface Counted {
  readonly limits: Limits
  /** The player, whose limits are their own (S:368-369); absent for the application (S:365-367). */
  readonly user?: string | undefined
}

const NAMES: ReadonlyMap<string, LimitName> = new Map([
  // The application's (S:365-366).
  ['POST /lobbies', 'create_lobby'],
  ['GET /lobbies/{lobby.id}', 'get_lobby'],
  ['DELETE /lobbies/{lobby.id}', 'delete_lobby'],
  ['PUT /lobbies/{lobby.id}/members/{user.id}', 'add_lobby_member'],
  ['DELETE /lobbies/{lobby.id}/members/{user.id}', 'remove_lobby_member'],
  // The player's (S:368-369).
  ['PUT /lobbies', 'join_lobby'],
  ['POST /lobbies/{lobby.id}/messages', 'send_message'],
])

/** Nobody has told how many: the limiter starts with a few at once, and learns. */
const UNKNOWN: Limit = { limit: Number.POSITIVE_INFINITY, per: 1000 }

/** The most particular bucket first, as headers speak of that one; then the one that counts everything. */
export function bucketsOf({ method, route, ids }: Routed, { limits, user = '' }: Counted): BucketSpec[] {
  const routeName: RouteName = `${method} ${route}`
  // The application's: players who share a budget on one machine share this too (S:367).
  const global = { name: 'global', key: '', ...limits.global }
  const name = NAMES.get(routeName)
  if (name) return [{ name, key: user, ...limits[name] }, global]
  // Routes of which the interface names no limit count for each guild apart (supplement A.7).
  const key = [user, ids['guild.id']].filter(Boolean).join(' ')
  return [{ name: routeName, key, ...(limits[routeName] ?? UNKNOWN) }, global]
}

/** The buckets that a deployment names, for one party: a block of any of them may be in the shared budget from before. */
export function everyBucket({ limits, user = '' }: Counted): BucketSpec[] {
  return Object.entries<Limit | undefined>(limits).flatMap(([name, rule]) =>
    rule ? [{ name, key: name === 'global' ? '' : user, ...rule }] : [],
  )
}

/** Who takes turns when many wait: one lobby, or one guild, does not hold up the others. */
export const partyOf = ({ ids }: Pick<Routed, 'ids'>): string => ids['lobby.id'] ?? ids['guild.id'] ?? ''
