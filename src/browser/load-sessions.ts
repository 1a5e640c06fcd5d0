/** Session module for pages, shared by their tabs. Loaded with the first session. */
import type { ClientContext } from '../client/shared-client-state'
import type { Sessions } from '../client/session-module'
import { createSessions } from '../client/create-session-module'
import { browserSessionEnvironment } from './session-environment'

export function loadBrowserSessions(context: ClientContext): Sessions {
  return createSessions(context, browserSessionEnvironment(context.clock))
}
