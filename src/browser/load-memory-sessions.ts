/** Session modules for pages, shared by their tabs. */
import type { ClientContext } from '../client/shared-client-state'
import { createMemorySessions } from '../client/session-lifecycle'
import type { Sessions } from '../client/session-module-types'
import { browserSessionEnvironment } from './tabs-and-network'

/** For a client without a token store. */
export function loadBrowserSessions(context: ClientContext): Sessions {
  return createMemorySessions(context, browserSessionEnvironment(context.clock))
}
