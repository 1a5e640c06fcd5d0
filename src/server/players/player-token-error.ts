/** Error for a player's token that a backend refuses, and its response. */
import {
  type ErrorDetails,
  FoyerError,
  type PlayerTokenErrorCode,
  RateLimitError,
} from '../../shared/foundation/errors'
import { PLAYER_HEADER } from '../../shared/tokens/kept-token'

const BY_COOKIE = 'session.verify'
const WITHOUT_TOKEN =
  "This page holds no token (tokens: 'none'): verify it with the verify of createSessionHandler, session.verify(request)"

/** Remedies for mistakes in the game's own code. */
const REMEDIES: Partial<Record<PlayerTokenErrorCode, string>> = {
  missing_player_token:
    'Call the backend with client.backend.fetch(), which sends the header Authorization: Bearer …',
  ticket_rejected:
    'Fetch a ticket for each connection with client.backend.fetchTicket(): it is valid once, for 30 s',
  not_a_member:
    'The lobby has no member of this id, or is none: the first argument is the id of the lobby, the second that of the player. If this ends the process, write await lobbies.assertMember(…)',
  token_in_url:
    'Logs and other pages can read it there: send it in the Authorization header, as client.backend.fetch() does',
}

/**
 * A request of a player is refused: its token or ticket is missing, expired, or not valid for this application, or the player is not a
 * member of a lobby. Never quotes the token.
 */
export class PlayerTokenError extends FoyerError<PlayerTokenErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'PlayerTokenError'
  }

  /** Name of the class, also after minification. */
  override readonly name = 'PlayerTokenError'
  /** Status for the response: 401, or 403 for `not_a_member`. */
  readonly status: 401 | 403
  /** Invalid part of the token, for example `aud`. */
  declare readonly path?: string
  /** Expected value of that part, in words. */
  declare readonly expected?: string

  constructor(code: PlayerTokenErrorCode, details: ErrorDetails = {}) {
    super(code, details.path ?? '', { remedy: REMEDIES[code] ?? '', ...details })
    this.status = code === 'not_a_member' ? 403 : 401
  }
}

/** A page whose backend keeps the tokens has called: no request of it has one. */
export const pageWithoutToken = (): PlayerTokenError =>
  new PlayerTokenError('missing_player_token', { remedy: WITHOUT_TOKEN, expected: BY_COOKIE })

export const isOfPageWithoutToken = (error: unknown): error is PlayerTokenError =>
  error instanceof PlayerTokenError && error.expected === BY_COOKIE

/**
 * Returns the response to a request whose verification failed: the status of a `PlayerTokenError`, and 503 while the service cannot be reached.
 * Any other error is thrown again: it is a fault of the backend.
 *
 * @example
 * ```ts
 * const player = await verify(request).catch(respondToPlayerError)
 * if (player instanceof Response) return player
 * ```
 */
export function respondToPlayerError(error: unknown): Response {
  if (error instanceof PlayerTokenError) {
    const { code, message } = error
    return refusal(
      { code, ...(isOfPageWithoutToken(error) && { message }) },
      { status: error.status, headers: challengeOf(error) },
    )
  }
  if (error instanceof FoyerError && error.retryable)
    return refusal(
      { code: error.code },
      { status: 503, headers: { 'retry-after': secondsUntilRetry(error) } },
    )
  throw error
}

/** Whole seconds after which a refused request may be tried again, for `Retry-After`. */
export function secondsUntilRetry(error: unknown): string {
  return String(error instanceof RateLimitError ? Math.max(1, Math.ceil(error.retryAfter / 1000)) : 1)
}

/** Challenge of RFC 6750 section 3: without an error code if the request had no token. */
function challengeOf(error: PlayerTokenError): Record<string, string> {
  const { code, status } = error
  if (status === 403) return {}
  // The page asks no second time.
  if (isOfPageWithoutToken(error)) return { 'www-authenticate': 'Bearer', [PLAYER_HEADER]: BY_COOKIE }
  return { 'www-authenticate': code === 'missing_player_token' ? 'Bearer' : 'Bearer error="invalid_token"' }
}

function refusal(
  body: { code: string; message?: string },
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}
