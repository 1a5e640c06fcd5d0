/** The sessions of a page, shared by its tabs. Loaded with the first one. */
import type { ClientContext } from '../client/context'
import type { Sessions } from '../client/session-api'
import { createSessions as createAmong } from '../client/sessions'
import { browserSessionEnvironment } from './session-environment'

export function loadBrowserSessions(context: ClientContext): Sessions {
  return createAmong(context, browserSessionEnvironment(context.clock))
}
