/** Session module for main processes. Loaded with the first session. */
import type { ClientContext } from '../../client/shared-client-state'
import type { Sessions } from '../../client/session-module-types'
import { createSessions } from '../../client/create-persistent-sessions'
import { mainSessionEnvironment } from './sleep-and-network'

export function loadMainSessions(context: ClientContext): Sessions {
  return createSessions(context, mainSessionEnvironment())
}
