/** Session module for main processes. Loaded with the first session. */
import type { ClientContext } from '../../client/context/client-context'
import type { Sessions } from '../../client/context/sessions'
import { createSessions } from '../../client/create-sessions'
import { mainSessionEnvironment } from './main-session-environment'

export function loadMainSessions(context: ClientContext): Sessions {
  return createSessions(context, mainSessionEnvironment())
}
