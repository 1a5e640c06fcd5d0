/** Sessions of a client without a page: in the client's token store, or in memory. */
import {
  type ClientContext,
  createSessions,
  persistIn,
  type SessionEnvironment,
  type Sessions,
  singleClientEnvironment,
} from './internals'

export async function clientSessions(
  context: ClientContext,
  environment: SessionEnvironment = singleClientEnvironment(),
): Promise<Sessions> {
  return createSessions(context, environment, persistIn(context.tokenStore))
}
