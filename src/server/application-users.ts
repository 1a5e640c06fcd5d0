/** Users as the application sees them. */
import type { UserId } from '../shared/foundation/ids'
import { id, type Rule } from '../shared/foundation/rules'
import { checkOptions } from '../shared/foundation/options'
import { checkResponse, ID, type FieldRule, TEXT } from '../shared/http/check-response'
import type { LimitedApi } from '../shared/http/limited-api'
import { requireArgument } from './argument-issues'

const ROUTE = '/users/{user.id}'
const USER_ID: Rule = { is: id, expected: 'a user id' }

/** User of the service, with the fields of the wire. Names are chosen by the user: show them as plain text. */
export interface ApplicationUser {
  /** User id. */
  readonly id: UserId
  /** Unique user name. */
  readonly username: string
  /** Display name, or null if the user has set none. */
  readonly global_name: string | null
  /** Hash of the picture, for `avatarUrl`, or null. */
  readonly avatar: string | null
}

/** Reads users. Requires a bot token. */
export interface ApplicationUsers {
  /**
   * Reads a user by id (`GET /users/<user_id>`, _assumed_), for example the names of a player whose ID token has none.
   *
   * @throws ValidationError `invalid_argument`. @throws RateLimitError, ApiError (`unknown_user`), NetworkError or ProtocolError.
   */
  get(
    userId: string,
    options?: { signal?: AbortSignal | undefined; priority?: 'high' | 'normal' | 'low' | undefined },
  ): Promise<ApplicationUser>
}

const OPTIONAL_TEXT: FieldRule = { ...TEXT, isOptional: true }
const USER: FieldRule<{ id: UserId; username: string; global_name?: string | null; avatar?: string | null }> =
  {
    fields: { id: ID, username: TEXT, global_name: OPTIONAL_TEXT, avatar: OPTIONAL_TEXT },
  }

export function createApplicationUsers({ api }: Pick<LimitedApi, 'api'>): ApplicationUsers {
  return {
    async get(userId, options) {
      requireArgument(userId, 'userId', USER_ID)
      const { signal, priority } = checkOptions(options, ['signal', 'priority'])
      const ids = { 'user.id': userId }
      const { body } = await api.send({ method: 'GET', route: ROUTE, ids, signal, priority })
      const { id: own, username, global_name, avatar } = checkResponse(body, `GET ${ROUTE}`, USER)
      return { id: own, username, global_name: global_name ?? null, avatar: avatar ?? null }
    },
  }
}
