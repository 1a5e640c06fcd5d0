/** The REST interface as a signed-in player sees it. */
import { SessionError } from '../foundation/errors'
import { Api } from '../http/api'
import type { Credentials } from '../http/credentials'
import { Life } from '../http/life'
import { fetchTransport } from '../http/transport'
import type { ClientContext } from './context'

export function createPlayerApi(context: ClientContext): Api {
  const { profile, clock, fetch, requestTimeout: timeout, life: closing } = context
  const life = new Life()
  if (closing.aborted) life.end()
  closing.addEventListener('abort', () => life.end())
  return new Api({ profile, clock, transport: fetchTransport(fetch), timeout, life, credentials: playerCredentials(context) })
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
