/** Who the service says the player is. */
import { isRecord } from '../../foundation/encoding'
import { ProtocolError } from '../../foundation/errors'
import { isUserId, type UserId } from '../../foundation/ids'
import { reveal, type Secret } from '../../foundation/secret'
import type { Credentials } from '../../http/credentials'
import type { ClientContext } from '../context'
import { createUserApi, openUserApi } from '../user-api'

/** A player, as the service shows them to themselves. */
export interface CurrentUser {
  id: UserId
  username: string
  /** The name that others see, where the player has set one. */
  globalName: string | null
}

export interface UserMethods {
  /**
   * Asks the service whose an access token is (`GET /users/@me`): the way to find out whether it still works, and what the player is
   * called. Default: the token of the signed-in player.
   * @throws SessionError `signed_out`. @throws ApiError, with status 401 for a token that does not work. @throws NetworkError.
   * @throws ProtocolError `malformed_response`.
   */
  fetchCurrentUser(options?: { accessToken?: Secret | string; signal?: AbortSignal }): Promise<CurrentUser>
}

export async function createUserMethods(context: ClientContext) {
  const { api } = await openUserApi(context)
  return {
    async fetchCurrentUser(options?: { accessToken?: Secret | string; signal?: AbortSignal }) {
      const { accessToken, signal } = { ...options }
      const own = accessToken === undefined ? undefined : createUserApi(context, bearer(accessToken))
      try {
        const { body } = await (own?.api ?? api).send({ method: 'GET', route: '/users/@me', ids: {}, signal })
        return decodeUser(body)
      } finally {
        own?.close()
      }
    },
  }
}

function bearer(accessToken: Secret | string): Credentials {
  return { header: async () => `Bearer ${reveal(accessToken)}`, renew: async () => false }
}

function decodeUser(body: unknown): CurrentUser {
  const { id, username, global_name: globalName = null } = isRecord(body) ? body : {}
  const isName = globalName === null || typeof globalName === 'string'
  if (!isUserId(id) || typeof username !== 'string' || !isName) throw new ProtocolError('malformed_response', 'GET /users/@me')
  return { id, username, globalName }
}
