/** The player of a request to the game's own backend, by the cookie of the session. */
import { FoyerError, NetworkError } from '../../shared/foundation/errors'
import type { Player } from '../players/player'
import { PlayerTokenError } from '../players/player-token-error'
import { isFromGame } from './check-origin'
import { findSession } from './find-session'
import type { SessionRequestParts } from './session-request-parts'

/** ms until a stream has to prove its player again. */
const LIFE = 15 * 60_000

/**
 * @throws PlayerTokenError `missing_player_token` without a session, for the page of another site, and for one
 *   that shows another player. @throws NetworkError (retryable)
 *   without the store.
 */
export async function verifyByCookie(
  request: Request,
  { sessions, origins, place, clock }: Pick<SessionRequestParts, 'sessions' | 'origins' | 'place' | 'clock'>,
): Promise<Player> {
  if (!isFromGame(request, origins)) throw new PlayerTokenError('missing_player_token')
  const found = await findSession(request, { sessions, place }).catch((error: unknown) => {
    if (error instanceof FoyerError) throw error
    throw new NetworkError('connection_failed', 'store', { cause: error })
  })
  if (!found) throw new PlayerTokenError('missing_player_token')
  return { id: found.record.userId, expiresAt: clock.now() + LIFE, claims: {} }
}
