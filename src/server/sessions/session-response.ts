/** Responses of a session handler to a page, and the JSON of its requests. */
import { ConfigurationError, SessionError } from '../../shared/foundation/errors'
import { isRecord, readJson } from '../../shared/foundation/untrusted-values'
import { readBody } from '../interactions/read-body'
import { parseIdToken, parseJson } from '../../shared/tokens/parse-id-token'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { FoundSession } from './backend-sessions'
import type { SessionRequestParts } from './session-request-parts'
import { keepCookie } from './answer-cookies'

/** Maximum bytes of a request about the session. */
const MAX_BODY = 16_384
/** Claims that a page without tokens gets: what proves the player, and the player's names. */
const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'preferred_username', 'nickname', 'picture']

export function answer(body: object, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers })
}

/**
 * The JSON of a token response (RFC 6749 section 5.1) without the refresh token. With a relay: without any token.
 * @throws SessionError `signed_out` if the session has ended meanwhile.
 */
export async function sessionResponse(found: FoundSession, parts: SessionRequestParts): Promise<Response> {
  const { tokens, userId, idTokenEnds = 0 } = found.record
  const { clock, isRelaying } = parts
  const given = {
    access_token: tokens.accessToken.reveal(),
    token_type: 'Bearer',
    ...(tokens.idToken && idTokenEnds > clock.now() && { id_token: tokens.idToken.reveal() }),
  }
  const body = {
    ...(isRelaying ? { tokens: 'none', ...claimsOf(tokens) } : given),
    expires_in: Math.max(0, Math.floor((tokens.expiresAt - clock.now()) / 1000)),
    scope: tokens.scopes.join(' '),
    user_id: userId,
  }
  const response = answer(body, 200)
  if (!(await keepCookie(response, found, parts))) throw new SessionError('signed_out')
  return response
}

/** The ID token was verified when it arrived. */
function claimsOf({ idToken }: TokenSet): { claims?: object } {
  if (!idToken) return {}
  const claims = parseJson('payload', parseIdToken(idToken.reveal()).payload)
  return {
    claims: Object.fromEntries(CLAIMS.filter((name) => name in claims).map((name) => [name, claims[name]])),
  }
}

/**
 * @param limit maximum bytes.
 * @throws ConfigurationError `invalid_argument` for anything but a JSON object: a form of another site cannot send one.
 */
export async function readFields(
  request: Request,
  { clock }: Pick<SessionRequestParts, 'clock'>,
  limit = MAX_BODY,
): Promise<Readonly<Record<string, unknown>>> {
  const body = await readBody(request, limit, clock)
  const isJson = /^application\/json\b/i.test(request.headers.get('content-type') ?? '')
  const value: unknown =
    isJson && typeof body === 'object' ? readJson(new TextDecoder().decode(body.bytes)) : undefined
  if (!isRecord(value))
    throw new ConfigurationError('invalid_argument', 'body', {
      remedy: 'Send a JSON object, with its content type',
    })
  return value
}
