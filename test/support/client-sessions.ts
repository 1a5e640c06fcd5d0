/** Sessions of a client without a page: in the client's token store, or in memory. */
import {
  type ClientBase,
  persistIn,
  type SessionEnvironment,
  Sessions,
  singleClientEnvironment,
} from './internals'

export async function clientSessions(
  client: ClientBase,
  environment: SessionEnvironment = singleClientEnvironment(),
): Promise<Sessions> {
  return new Sessions(client, environment, persistIn(client.options.tokenStore))
}
