/** Refuses a client of Redis that cannot bring notes to a lobby hub. */
import { ConfigurationError } from '../../shared/foundation/errors'

/** @throws ConfigurationError `unsupported` */
export function refuseBroker(remedy: string): never {
  throw new ConfigurationError('unsupported', 'redisLobbyBroker', { remedy })
}
