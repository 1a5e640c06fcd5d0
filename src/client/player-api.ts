/** The REST interface as a signed-in player sees it. */
import type { Api } from '../http/api'
import type { Credentials } from '../http/credentials'
import { createLimitedApi } from '../http/limited-api'
import { fetchTransport } from '../http/transport'
import type { ClientContext } from './context'

/** ms that a call may wait for a limit: a player is looking. */
const MAX_WAIT = 5000

export function createPlayerApi(context: ClientContext, credentials: Credentials = playerCredentials(context)): Api {
  const { profile, clock, fetch, requestTimeout: timeout, presence, life } = context
  const user = () => presence.session?.userId ?? ''
  const limited = createLimitedApi({ profile, credentials, transport: fetchTransport(fetch), clock, timeout, maxWait: MAX_WAIT, user })
  life.addEventListener('abort', () => limited.close())
  return limited.api
}

/** Good for now: what has expired is renewed first, and what is refused, once more. */
function playerCredentials({ sessions }: ClientContext): Credentials {
  return {
    header: async () => (await sessions()).header(),
    renew: async (refused) => (await sessions()).renew(refused),
  }
}
