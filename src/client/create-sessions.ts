/** Session module of a client with a token store. */
import { ConfigurationError } from '../foundation/errors'
import { SessionPersistence } from '../tokens/session/session-persistence'
import { singleClientEnvironment, type SessionEnvironment } from '../tokens/session/session-environment'
import type { ClientContext } from './context/client-context'
import { createMemorySessions } from './create-memory-sessions'
import type { Sessions } from './context/sessions'

/**
 * Works without a token store too: the session then lives in memory.
 *
 * @throws ConfigurationError `invalid_argument` for a token store without the methods of one.
 */
export function createSessions(context: ClientContext, environment: SessionEnvironment = singleClientEnvironment()): Sessions {
  const { tokenStore: store } = context
  if (store && typeof store.delete !== 'function')
    throw new ConfigurationError('invalid_argument', 'tokenStore', { remedy: 'Give a store, for example indexedDbStore()' })
  return createMemorySessions(context, environment, store && ((options) => new SessionPersistence({ ...options, store })))
}
