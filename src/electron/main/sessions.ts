/** The sessions of a main process. Loaded with the first one. */
import type { ClientContext } from '../../client/context'
import type { Sessions } from '../../client/session-api'
import { createSessions as createAmid } from '../../client/sessions'
import { mainSessionEnvironment } from './session-environment'

export function loadMainSessions(context: ClientContext): Sessions {
  return createAmid(context, mainSessionEnvironment())
}
