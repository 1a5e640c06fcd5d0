/** The session module for pages with a token store as one part, loaded with the first session. */
import type { ClientContext } from '../client/context/client-context'
import { createSessions } from '../client/create-sessions'
import type { Sessions } from '../client/context/sessions'
import { browserSessionEnvironment } from './browser-session-environment'

export function loadStoredSessions(context: ClientContext): Sessions {
  return createSessions(context, browserSessionEnvironment(context.clock))
}
