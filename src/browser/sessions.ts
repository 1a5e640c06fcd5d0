/** The sessions of a page, shared by its tabs. Loaded with the first one. */
import type { ClientContext } from '../client/context'
import type { Sessions } from '../client/session-port'
import { createSessions as createAmong } from '../client/sessions'
import { tabSurroundings } from './tabs-session'

export function createSessions(context: ClientContext): Sessions {
  return createAmong(context, tabSurroundings(context.clock))
}
