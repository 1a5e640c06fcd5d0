/** Session modules for pages, shared by their tabs. */
import type { ClientContext } from '../client/context/client-context'
import { createMemorySessions } from '../client/create-memory-sessions'
import type { Sessions } from '../client/context/sessions'
import { browserSessionEnvironment } from './browser-session-environment'

/** For a client without a token store. */
export function loadBrowserSessions(context: ClientContext): Sessions {
  return createMemorySessions(context, browserSessionEnvironment(context.clock))
}
