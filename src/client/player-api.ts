/** The REST interface as a signed-in player sees it. */
import { Api } from '../http/api'
import type { Credentials } from '../http/credentials'
import type { ClientContext } from './context'

export function createPlayerApi(context: ClientContext): Api {
  return new Api({ ...context, timeout: context.requestTimeout, credentials: playerCredentials(context) })
}

/** Good for now: what has expired is renewed first, and what is refused, once more. */
function playerCredentials({ sessions }: ClientContext): Credentials {
  return {
    header: async () => (await sessions()).header(),
    renew: async (refused) => (await sessions()).renew(refused),
  }
}
