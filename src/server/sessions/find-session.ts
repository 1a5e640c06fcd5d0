/** The session of a request, if it is of the player whom the page shows. */
import { PLAYER_HEADER } from '../../shared/tokens/kept-token'
import type { FoundSession } from './backend-sessions'
import { readCookie, sessionCookie } from './session-cookies'
import type { SessionRequestParts } from './session-request-parts'

/** The session of the browser, for a page of its own or in a frame. */
export async function findOwnSession(
  { headers }: Request,
  { sessions, place }: Pick<SessionRequestParts, 'sessions' | 'place'>,
): Promise<FoundSession | undefined> {
  const [own, embedded] = [false, true].map((isEmbedded) =>
    readCookie(headers, sessionCookie({ ...place, isEmbedded })),
  )
  return (await sessions.find(own)) ?? sessions.find(embedded)
}

/** Undefined without a session, and for the page of a player in whose place another one has signed in, in another tab of the browser. */
export async function findSession(
  request: Request,
  parts: Pick<SessionRequestParts, 'sessions' | 'place'>,
  shown: unknown = request.headers.get(PLAYER_HEADER) ?? undefined,
): Promise<FoundSession | undefined> {
  const found = await findOwnSession(request, parts)
  return shown === undefined || shown === found?.record.userId ? found : undefined
}
