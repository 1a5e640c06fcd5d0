/** Who the service says the player is. */
import { isRecord } from '../foundation/encoding'
import { ProtocolError } from '../foundation/errors'
import { isUserId, type UserId } from '../foundation/ids'
import type { ClientContext } from './context'
import { createPlayerApi } from './player-api'

/** A player, as the service shows them to themselves. */
export interface CurrentUser {
  id: UserId
  username: string
  /** The name that others see, where the player has set one. */
  globalName: string | null
}

export interface UserCalls {
  /**
   * Asks the service who the signed-in player is (`GET /users/@me`): a way to find out whether the access token still works.
   * @throws SessionError `signed_out`. @throws ApiError. @throws NetworkError. @throws ProtocolError `malformed_response`.
   */
  fetchCurrentUser(options?: { signal?: AbortSignal }): Promise<CurrentUser>
}

export function createCalls(context: ClientContext) {
  const api = createPlayerApi(context)
  return {
    async fetchCurrentUser({ signal }: { signal?: AbortSignal } = {}): Promise<CurrentUser> {
      const { body } = await api.send({ method: 'GET', route: '/users/@me', ids: {}, signal })
      return decodeUser(body)
    },
  }
}

function decodeUser(body: unknown): CurrentUser {
  const { id, username, global_name: globalName = null } = isRecord(body) ? body : {}
  const isName = globalName === null || typeof globalName === 'string'
  if (!isUserId(id) || typeof username !== 'string' || !isName) throw new ProtocolError('malformed_response', 'GET /users/@me')
  return { id, username, globalName }
}
