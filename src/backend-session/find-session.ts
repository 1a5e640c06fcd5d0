/** The session of a request, if it is of the player whom the page shows. */
import { PLAYER_HEADER } from '../tokens/kept-token'
import type { FoundSession } from './backend-sessions'
import { readCookie, sessionCookie } from './session-cookies'
import type { SessionRequestParts } from './session-request-parts'

/** Undefined without a session, and for the page of a player in whose place another one has signed in, in another tab of the browser. */
export async function findSession(
  { headers }: Request,
  { sessions, place }: Pick<SessionRequestParts, 'sessions' | 'place'>,
  shown: unknown = headers.get(PLAYER_HEADER) ?? undefined,
): Promise<FoundSession | undefined> {
  const found = await sessions.find(readCookie(headers, sessionCookie(place)))
  return shown === undefined || shown === found?.record.userId ? found : undefined
}
