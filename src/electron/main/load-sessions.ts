/** Session module for main processes. Loaded with the first session. */
import type { ClientContext } from '../../client/shared-client-state'
import type { Sessions } from '../../client/session-module'
import { createSessions } from '../../client/create-persistent-sessions'
import { mainSessionEnvironment } from './session-environment'

export function loadMainSessions(context: ClientContext): Sessions {
  return createSessions(context, mainSessionEnvironment())
}
