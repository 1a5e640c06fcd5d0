/** Asks for the player's names later, if the service did not answer during the sign-in. */
import { afterUnref } from '../foundation/after-unref'
import type { CurrentSession } from '../tokens/session/current-session'
import { isExpired } from '../tokens/session/refresh-policy'
import { knowsUser } from '../tokens/session/session'
import type { ClientContext } from './context/client-context'

/** ms before each further request, counted from the one before. The next page, or the next refresh, begins anew. */
const DELAYS = [5000, 60_000, 600_000]

/** Returns a function that looks whether the names of the current session are missing. Each request is for one player at a time. */
export function createUserFiller(context: ClientContext, currentSession: CurrentSession): () => void {
  let asked = ''
  let attempts = 0
  const isMissing = () => !!currentSession.record && !knowsUser(currentSession.record)
  const ask = async () => {
    const { record } = currentSession
    if (!record || !isMissing() || context.closeSignal.aborted || isExpired(record, context.clock.now())) return
    const { fetchUser } = await context.exchange()
    const user = await fetchUser({ ...record, signal: context.closeSignal }).catch(() => undefined)
    if (user) await currentSession.keepUser(record.userId, user)
    else next()
  }
  const next = () => {
    const delay = DELAYS[attempts]
    attempts += 1
    if (delay !== undefined) afterUnref(context.clock, delay, () => void ask())
  }
  return () => {
    const { record } = currentSession
    const key = record ? `${record.id} ${record.epoch}` : ''
    if (asked === key || !isMissing()) return
    asked = key
    attempts = 0
    next()
  }
}
