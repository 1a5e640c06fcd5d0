/** The only place that sets cookies on an answer: that of a session belongs to the one that the browser had when it asked, or to none. */
import type { FoundSession } from './backend-sessions'
import type { SessionRequestParts } from './session-request-parts'
import type { UserId } from '../../shared/foundation/ids'
import { LIFETIME } from '../../shared/authorization/attempt-record'
import { attemptsOf, type CookiePlace, readCookie, sessionCookie, writeCookie } from './session-cookies'

type Parts = Pick<SessionRequestParts, 'sessions' | 'place' | 'maxAge'>

/** A cookie of a session that came with a request. */
export interface SentCookie {
  readonly isEmbedded: boolean
  /** Undefined for one that this backend did not seal. */
  readonly id: string | undefined
  /** The player whose session it was. */
  readonly userId: UserId | undefined
}

/** The cookies of sessions that a request came with, also those of sessions that have ended. Read before anything else is done. */
export async function readSentCookies(
  { headers }: Request,
  { sessions, place }: Parts,
): Promise<readonly SentCookie[]> {
  const sent: SentCookie[] = []
  for (const isEmbedded of [false, true]) {
    const value = readCookie(headers, sessionCookie({ ...place, isEmbedded }))
    if (value !== undefined) sent.push({ isEmbedded, ...(await sessions.ownerOf(value)) })
  }
  return sent
}

/**
 * Gives the browser the newest cookie of a session. Resolves with false if the session has ended since it was found: another player may
 * have signed in meanwhile, and the cookie would take the place of theirs.
 */
export async function keepCookie(
  response: Response,
  found: FoundSession,
  { sessions, maxAge, place }: Parts,
): Promise<boolean> {
  const current = await sessions.current(found)
  if (!current) return false
  const own = { ...place, isEmbedded: current.record.isEmbedded }
  const value = await sessions.cookieOf(current)
  response.headers.append('set-cookie', writeCookie(sessionCookie(own), { value, maxAge, place: own }))
  return true
}

/** Deletes the cookies that a request came with, unless the browser has begun another session meanwhile. */
export async function dropCookies(
  response: Response,
  sent: readonly SentCookie[],
  { sessions, place }: Parts,
): Promise<void> {
  for (const { isEmbedded, id } of sent) {
    const own = { ...place, isEmbedded }
    const isReplaced = id !== undefined && (await sessions.isReplaced(id))
    if (!isReplaced) response.headers.append('set-cookie', writeCookie(sessionCookie(own), { place: own }))
  }
}

/** Attempts that one browser may have open. Their cookies are sent with each request, and servers limit the headers. */
const MAX_ATTEMPTS = 4

/** Cookie of one attempt to sign in. */
export interface AttemptCookie {
  readonly name: string
  readonly place: CookiePlace
}

/** Gives the browser the cookie of an attempt. Deletes those of other attempts once there are too many. */
export function keepAttempt(
  response: Response,
  { headers }: Request,
  { name, value, place }: AttemptCookie & { readonly value: string },
): void {
  const open = attemptsOf(headers, place)
  if (open.length >= MAX_ATTEMPTS) for (const other of open) dropAttempt(response, { name: other, place })
  response.headers.append('set-cookie', writeCookie(name, { value, maxAge: LIFETIME, place }))
}

/** Deletes the cookie of an attempt that has ended. */
export function dropAttempt(response: Response, { name, place }: AttemptCookie): void {
  response.headers.append('set-cookie', writeCookie(name, { place }))
}
