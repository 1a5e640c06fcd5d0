/** The player of a request to the game's own backend, by the cookie of the session. */
import { FoyerError, NetworkError } from '../../shared/foundation/errors'
import type { Player } from '../players/player'
import { PlayerTokenError } from '../players/player-token-error'
import { isFromGame, isNavigation } from './check-origin'
import { findSession } from './find-session'
import type { SessionHandlerParts } from './session-request-parts'

/** ms until a stream has to prove its player again. */
const LIFE = 15 * 60_000

/**
 * A link on another site may open a page of the game: that is a navigation, whose answer no other site can read.
 *
 * @throws PlayerTokenError `missing_player_token` without a session, for any other request of another site's page, and for one
 *   that shows another player. @throws NetworkError (retryable)
 *   without the store.
 */
export async function verifyByCookie(
  request: Request,
  {
    sessions,
    origins,
    placeOf,
    clock,
  }: Pick<SessionHandlerParts, 'sessions' | 'origins' | 'placeOf' | 'clock'>,
): Promise<Player> {
  if (!isFromGame(request, origins) && !isNavigation(request))
    throw new PlayerTokenError('missing_player_token')
  const found = await findSession(request, { sessions, place: placeOf(request) }).catch((error: unknown) => {
    if (error instanceof FoyerError) throw error
    throw new NetworkError('connection_failed', 'store', { cause: error })
  })
  if (!found) throw new PlayerTokenError('missing_player_token')
  return { id: found.record.userId, expiresAt: clock.now() + LIFE, claims: {} }
}
