/** Asks the service whose an access token is: the player's names, and the id of a player whom no ID token proves. */
import { pause } from '../foundation/in-time'
import type { Clock } from '../foundation/clock'
import { ApiError, NetworkError, ProtocolError, SessionError } from '../foundation/errors'
import { isUserId, type UserId } from '../foundation/ids'
import { factsOf, type Log } from '../foundation/log-entry'
import { parseRetryAfter } from '../foundation/oauth-errors'
import type { JsonResponse, SendJson } from '../http/http-client'
import type { ServiceConfig } from '../service/service-config'
import { bearerOf } from './kept-token'
import { type SessionUser, userFromClaims, userFromResponse } from './session-user'
import type { VerifiedTokens } from './token-endpoint'
import type { TokenSet } from './token-set'

/** ms for one request: a player is waiting. */
const TIMEOUT = 3000
/** ms before each further request for a player whom only the service can name. */
const RETRIES = [500, 2000]
const REMEDY =
  'The service issued no ID token and does not say whose the access token is: ask for the scope identify, or an sdk scope'
/** Longest wait in ms that the service may ask for. */
const MAX_RETRY_AFTER = 10_000

export interface IdentifyContext {
  send: SendJson
  clock: Clock
  service: ServiceConfig
  log: Log
}

/** Tokens whose player is known. */
export type IdentifiedTokens = VerifiedTokens & { userId: UserId; user?: SessionUser | undefined }

/** `user` is absent while the service does not answer. */
interface UserAnswer {
  id?: UserId
  user?: SessionUser
  error?: ApiError | NetworkError | ProtocolError
  /** ms that the service asks to wait. */
  delay?: number
}

/**
 * Adds the player to tokens. A player whom an ID token proves needs no answer of the service: names that are missing can be asked for later.
 * @throws SessionError `player_unknown` (retryable) if nothing proves the player and the service does not answer.
 * @throws ProtocolError `missing_id_token` if it refuses to say who the player is. @throws NetworkError `aborted`.
 */
export async function identifyPlayer(
  context: IdentifyContext,
  verified: VerifiedTokens,
  signal?: AbortSignal,
): Promise<IdentifiedTokens> {
  const { tokens } = verified
  const sub = tokens.claims?.sub
  if (!isUserId(sub)) return { ...verified, ...(await askForPlayer(context, tokens, signal)) }
  const isNamed = userFromClaims(tokens.claims, context.service.issuer).username !== undefined
  return {
    ...verified,
    userId: sub,
    user: isNamed ? {} : await fetchUser(context, { tokens, userId: sub, signal }),
  }
}

/** The player that tokens must belong to. */
export interface KnownPlayer {
  tokens: TokenSet
  userId: UserId
  signal?: AbortSignal | undefined
}

/** Resolves with the names of a known player: empty if the service refuses them, undefined while it does not answer. */
export async function fetchUser(
  context: IdentifyContext,
  { tokens, userId, signal }: KnownPlayer,
): Promise<SessionUser | undefined> {
  const { id, user, error } = await ask(context, '/users/@me', { tokens, signal })
  if (error?.code === 'aborted') throw error
  // OpenID Connect Core section 5.3.2: an answer about somebody else must not be used.
  if (user) return id === userId ? user : {}
  return error instanceof ApiError && [403, 404].includes(error.status) ? {} : undefined
}

async function askForPlayer(
  context: IdentifyContext,
  tokens: TokenSet,
  signal?: AbortSignal,
): Promise<{ userId: UserId; user: SessionUser }> {
  for (const wait of [...RETRIES, undefined]) {
    const { id, user, error, delay = 0 } = await askAnywhere(context, tokens, signal)
    if (id && user) return { userId: id, user }
    if (error?.code === 'aborted' || (error instanceof ApiError && error.status === 401)) throw error
    if (error instanceof ApiError && [403, 404].includes(error.status))
      throw new ProtocolError('missing_id_token', '', { remedy: REMEDY })
    if (wait === undefined || delay > MAX_RETRY_AFTER) break
    await pause(context.clock, Math.max(wait, delay))
  }
  throw new SessionError('player_unknown', '', { retryable: true })
}

/** The second address needs only the scope `openid`, and returns no names. */
async function askAnywhere(
  context: IdentifyContext,
  tokens: TokenSet,
  signal?: AbortSignal,
): Promise<UserAnswer> {
  const answer = await ask(context, '/users/@me', { tokens, signal })
  const isRefused = answer.error instanceof ApiError && answer.error.status === 403
  return isRefused ? ask(context, '/oauth2/userinfo', { tokens, signal }) : answer
}

async function ask(
  { send, service, clock, log }: IdentifyContext,
  path: string,
  { tokens, signal }: { tokens: TokenSet; signal: AbortSignal | undefined },
): Promise<UserAnswer> {
  const route = `GET ${path}`
  const authorization = bearerOf(tokens)
  try {
    const response = await send({
      method: 'GET',
      url: service.baseUrl + path,
      route,
      authorization,
      timeout: TIMEOUT,
      signal,
    })
    return readAnswer(response, { route, service, now: clock.now() })
  } catch (error) {
    log('warn', 'user.unknown', factsOf(error))
    const isAnswer = error instanceof ApiError || error instanceof ProtocolError
    if (isAnswer || error instanceof NetworkError) return { error }
    throw error
  }
}

function readAnswer(
  { status, body, retryAfter, date }: JsonResponse,
  { route, service, now }: { route: string; service: ServiceConfig; now: number },
): UserAnswer {
  if (status !== 200)
    return {
      error: new ApiError(`http_${status}`, route, { status }),
      delay: parseRetryAfter(retryAfter, date ?? now),
    }
  const id = body['id'] ?? body['sub']
  return isUserId(id)
    ? { id, user: userFromResponse(body, service) }
    : { error: new ProtocolError('malformed_response', route) }
}
