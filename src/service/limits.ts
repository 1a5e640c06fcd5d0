/** The limits of the interface (S:365-369), as it lists them. A deployment may name others in its profile. */

export interface Limit {
  /** Requests. */
  readonly limit: number
  /** ms. */
  readonly per: number
}

/** What a limit counts for: each for the whole application, or each for one player. */
export type LimitName =
  'create_lobby' | 'delete_lobby' | 'get_lobby' | 'add_lobby_member' | 'remove_lobby_member' | 'global' | 'send_message' | 'join_lobby'

export type Limits = Readonly<Record<LimitName, Limit>>

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

/** An application in development: 100 lobby calls of each kind, and 100 messages, in 2 hours. */
export const DEVELOPMENT_LIMITS: Limits = {
  ...LIMITS,
  create_lobby: { limit: 100, per: 2 * HOUR },
  delete_lobby: { limit: 100, per: 2 * HOUR },
  get_lobby: { limit: 100, per: 2 * HOUR },
  add_lobby_member: { limit: 100, per: 2 * HOUR },
  remove_lobby_member: { limit: 100, per: 2 * HOUR },
  send_message: { limit: 100, per: 2 * HOUR },
}
