/** Session module for main processes. Loaded with the first session. */
import type { ClientContext } from '../../client/context'
import type { Sessions } from '../../client/session-api'
import { createSessions } from '../../client/create-sessions'
import { mainSessionEnvironment } from './session-environment'

export function loadMainSessions(context: ClientContext): Sessions {
  return createSessions(context, mainSessionEnvironment())
}
