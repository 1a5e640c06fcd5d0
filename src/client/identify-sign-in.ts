/** Asks for the player of the tokens at the end of a sign-in, and again later if the service did not answer with the names. */
import { afterUnref } from '../shared/foundation/clock'
import type { CurrentSession } from './session/current-session'
import { isExpired } from './session/refresh-policy'
import { knowsUser } from './session/session'
import type { ClientContext } from './context/client-context'
import { type FoyerError, ProtocolError } from '../shared/foundation/errors'
import type { IdentifiedTokens } from '../shared/tokens/requests/identify-player'
import type { VerifiedTokens } from '../shared/tokens/requests/token-endpoint'

/**
 * The last step of a sign-in. Tokens of a consent that is spent are kept until it is done.
 * @throws SessionError `player_unknown` (retryable): the client keeps the tokens, and `resume()` continues.
 * @throws ProtocolError `missing_id_token` if the game requires one.
 */
export async function identifySignIn(
  context: ClientContext,
  verified: VerifiedTokens,
  signal?: AbortSignal,
): Promise<IdentifiedTokens> {
  const { identify } = await context.exchange()
  if (context.requireIdToken && !verified.tokens.claims) throw new ProtocolError('missing_id_token')
  // Kept before the request: a sign-out meanwhile drops them.
  context.unidentified = verified
  const forget = () => {
    if (context.unidentified === verified) context.unidentified = undefined
  }
  return identify(verified, signal).then(
    (identified) => {
      forget()
      return identified
    },
    (error: FoyerError) => {
      if (!error.retryable) forget()
      throw error
    },
  )
}

/** ms before each further request, counted from the one before. The next page, or the next refresh, begins anew. */
const DELAYS = [5000, 60_000, 600_000]

/** Returns a function that looks whether the names of the current session are missing. Each request is for one player at a time. */
export function createUserFiller(context: ClientContext, currentSession: CurrentSession): () => void {
  let asked = ''
  let attempts = 0
  const isMissing = () => !!currentSession.record && !knowsUser(currentSession.record)
  const ask = async () => {
    const { record } = currentSession
    if (!record || !isMissing() || context.closeSignal.aborted || isExpired(record, context.clock.now()))
      return
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
