/** The sessions of a main process. Loaded with the first one. */
import type { ClientContext } from '../../client/context'
import type { Sessions } from '../../client/session-port'
import { createSessions as createAmid } from '../../client/sessions'
import { machineSurroundings } from './surroundings'

export function createSessions(context: ClientContext): Sessions {
  return createAmid(context, machineSurroundings())
}
