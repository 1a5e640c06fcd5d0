/** The session module for pages with a token store as one part, loaded with the first session. */
import type { ClientContext } from '../client/shared-client-state'
import { createSessions } from '../client/create-persistent-sessions'
import type { Sessions } from '../client/session-module-types'
import { browserSessionEnvironment } from './tabs-and-network'

export function loadStoredSessions(context: ClientContext): Sessions {
  return createSessions(context, browserSessionEnvironment(context.clock))
}
