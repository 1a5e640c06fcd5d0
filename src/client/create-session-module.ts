/** Session module of a client with a token store. */
import { SessionPersistence } from '../tokens/session/session-persistence'
import { singleClientEnvironment, type SessionEnvironment } from '../tokens/session/session-environment'
import type { ClientContext } from './shared-client-state'
import { createMemorySessions } from './create-memory-sessions'
import type { Sessions } from './session-module'

/** Works without a token store too: the session then lives in memory. */
export function createSessions(context: ClientContext, environment: SessionEnvironment = singleClientEnvironment()): Sessions {
  return createMemorySessions(context, environment, (options) => new SessionPersistence(options))
}
