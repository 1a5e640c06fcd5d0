/** The REST interface as a signed-in player sees it. */
import { SessionError } from '../foundation/errors'
import { Api } from '../http/api'
import type { Credentials } from '../http/credentials'
import type { ClientContext } from './context'

export function createPlayerApi(context: ClientContext): Api {
  return new Api({ ...context, timeout: context.requestTimeout, credentials: playerCredentials(context) })
}

function playerCredentials({ presence }: ClientContext): Credentials {
  return {
    async header() {
      if (!presence.session) throw new SessionError('signed_out')
      return `Bearer ${presence.session.tokens.accessToken.reveal()}`
    },
    renew: async () => false,
  }
}
