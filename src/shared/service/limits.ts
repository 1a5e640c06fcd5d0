/** Documented rate limits of the service (docs/interface/rate-limits.md#limits). A deployment may set others in its configuration. */
import type { Optional } from '../foundation/options'
import { withoutUndefined } from '../foundation/untrusted-values'
import { ConfigurationError } from '../foundation/errors'

/** A rate limit: `limit` requests per `per` ms. */
export interface Limit {
  /** Requests. */
  readonly limit: number
  /** ms. */
  readonly per: number
}

/** Name of a documented limit. Each counts for the whole application, or for one player. */
export type LimitName =
  | 'create_lobby'
  | 'delete_lobby'
  | 'get_lobby'
  | 'add_lobby_member'
  | 'remove_lobby_member'
  | 'global'
  | 'send_message'
  | 'join_lobby'

/**
 * A route pattern, for example `PATCH /lobbies/{lobby.id}`. It gets a bucket of its own if the deployment sets a limit for it, which counts
 * for the application, beside the one that counts for a player.
 */
export type RouteName = `${string} ${string}`

/** Rate limits by name. */
export type Limits = Readonly<Record<LimitName, Limit>> & Readonly<Partial<Record<RouteName, Limit>>>

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Documented limits of the service, by name. */
export const LIMITS: Limits = {
  // Lobby create, delete and get: each 500 per 10 seconds per application (docs/interface/rate-limits.md#limits).
  create_lobby: { limit: 500, per: 10 * SECOND },
  delete_lobby: { limit: 500, per: 10 * SECOND },
  get_lobby: { limit: 500, per: 10 * SECOND },
  // Lobby add-member and remove-member: each 5000 per 10 seconds per application (docs/interface/rate-limits.md#limits).
  add_lobby_member: { limit: 5000, per: 10 * SECOND },
  remove_lobby_member: { limit: 5000, per: 10 * SECOND },
  // All endpoints, per application: 50 per second, raisable to 1200 on request (docs/interface/rate-limits.md#limits).
  global: { limit: 50, per: SECOND },
  // Sending a message: 3000 per 2 hours per user (docs/interface/rate-limits.md#limits).
  send_message: { limit: 3000, per: 2 * HOUR },
  // Creating or joining a lobby: 10 per 60 seconds per user (docs/interface/rate-limits.md#limits).
  join_lobby: { limit: 10, per: MINUTE },
}

/** Upper bound to which `global` can be raised (docs/interface/rate-limits.md#limits). */
export const MAX_GLOBAL_LIMIT = 1200

/** Limit of most lobby calls of an application in development. */
const DEVELOPMENT: Limit = { limit: 100, per: 2 * HOUR }

/**
 * An application in development: 100 calls in 2 hours of every kind that creates or changes something in lobbies, for all of its players
 * together. Reading and deleting lobbies keep their limits (docs/interface/rate-limits.md#development-applications).
 */
export const DEVELOPMENT_LIMITS: Limits = {
  ...LIMITS,
  create_lobby: DEVELOPMENT,
  add_lobby_member: DEVELOPMENT,
  remove_lobby_member: DEVELOPMENT,
  'PUT /lobbies': DEVELOPMENT,
  'PATCH /lobbies/{lobby.id}': DEVELOPMENT,
  'POST /lobbies/{lobby.id}/members/bulk': DEVELOPMENT,
  'POST /lobbies/{lobby.id}/members/{user.id}/invites': DEVELOPMENT,
  'POST /lobbies/{lobby.id}/members/@me/invites': DEVELOPMENT,
  'POST /lobbies/{lobby.id}/messages': DEVELOPMENT,
  'PATCH /lobbies/{lobby.id}/channel-linking': { ...DEVELOPMENT, limit: 20 },
}

/**
 * The limits of a deployment: the documented ones, overridden by its own.
 * @throws ConfigurationError `invalid_argument`.
 */
export function limitsOf({ limits: given }: { limits?: Optional<Limits> | undefined }): Limits {
  const limits = withoutUndefined(given)
  for (const [name, each] of Object.entries<Partial<Limit> | undefined>(limits)) {
    const { limit, per } = each ?? {}
    if (!Number.isSafeInteger(limit) || Number(limit) < 1 || !Number.isFinite(per) || Number(per) <= 0) {
      throw new ConfigurationError('invalid_argument', `service.limits.${name}`)
    }
  }
  return { ...LIMITS, ...limits }
}
