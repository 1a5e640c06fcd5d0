/** Sessions of a client without a page: in the client's token store, or in memory. */
import type { ClientContext } from '../../src/client/context/client-context'
import type { Sessions } from '../../src/client/context/sessions'
import { createSessions } from '../../src/client/create-sessions'
import { type SessionEnvironment, singleClientEnvironment } from '../../src/tokens/session/session-environment'
import { persistIn } from '../../src/tokens/session/session-persistence'

export async function clientSessions(
  context: ClientContext,
  environment: SessionEnvironment = singleClientEnvironment(),
): Promise<Sessions> {
  return createSessions(context, environment, persistIn(context.tokenStore))
}
