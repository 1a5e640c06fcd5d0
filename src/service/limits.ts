/** The limits of the interface (S:365-369), as it lists them. A deployment may name others in its profile. */
import { ConfigurationError } from '../foundation/errors'

export interface Limit {
  /** Requests. */
  readonly limit: number
  /** ms. */
  readonly per: number
}

/** What a limit counts for: each for the whole application, or each for one player. */
export type LimitName =
  'create_lobby' | 'delete_lobby' | 'get_lobby' | 'add_lobby_member' | 'remove_lobby_member' | 'global' | 'send_message' | 'join_lobby'

/** A route as the interface writes it, for example `PATCH /lobbies/{lobby.id}`: a bucket of its own, where a deployment tells its limit. */
export type RouteName = `${string} ${string}`

export type Limits = Readonly<Record<LimitName, Limit>> & Readonly<Partial<Record<RouteName, Limit>>>

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const LIMITS: Limits = {
  // Lobby create, delete and get: each 500 per 10 seconds per application (S:365).
  create_lobby: { limit: 500, per: 10 * SECOND },
  delete_lobby: { limit: 500, per: 10 * SECOND },
  get_lobby: { limit: 500, per: 10 * SECOND },
  // Lobby add-member and remove-member: each 5000 per 10 seconds per application (S:366).
  add_lobby_member: { limit: 5000, per: 10 * SECOND },
  remove_lobby_member: { limit: 5000, per: 10 * SECOND },
  // All endpoints, per application: 50 per second, raisable to 1200 on request (S:367).
  global: { limit: 50, per: SECOND },
  // Sending a message: 3000 per 2 hours per user (S:368).
  send_message: { limit: 3000, per: 2 * HOUR },
  // Creating or joining a lobby: 10 per 60 seconds per user (S:369).
  join_lobby: { limit: 10, per: MINUTE },
}

/** The most that `global` can be raised to (S:367). */
export const GLOBAL_MOST = 1200

/** An application in development: 100 lobby calls of each kind, and 100 messages, in 2 hours (supplement A.2.7). */
export const DEVELOPMENT_LIMITS: Limits = {
  ...LIMITS,
  create_lobby: { limit: 100, per: 2 * HOUR },
  delete_lobby: { limit: 100, per: 2 * HOUR },
  get_lobby: { limit: 100, per: 2 * HOUR },
  add_lobby_member: { limit: 100, per: 2 * HOUR },
  remove_lobby_member: { limit: 100, per: 2 * HOUR },
  send_message: { limit: 100, per: 2 * HOUR },
  'PATCH /lobbies/{lobby.id}': { limit: 100, per: 2 * HOUR },
  'POST /lobbies/{lobby.id}/members/bulk': { limit: 100, per: 2 * HOUR },
  'PATCH /lobbies/{lobby.id}/channel-linking': { limit: 20, per: 2 * HOUR },
}

/**
 * The limits of a deployment: those of the interface, and whatever it says of its own.
 * @throws ConfigurationError `invalid_argument`.
 */
export function limitsOf({ limits }: { limits?: Partial<Limits> }): Limits {
  for (const [name, each] of Object.entries<Partial<Limit> | undefined>({ ...limits })) {
    const { limit, per } = each ?? {}
    if (!Number.isSafeInteger(limit) || Number(limit) < 1 || !Number.isFinite(per) || Number(per) <= 0) {
      throw new ConfigurationError('invalid_argument', `service.limits.${name}`)
    }
  }
  return { ...LIMITS, ...limits }
}
