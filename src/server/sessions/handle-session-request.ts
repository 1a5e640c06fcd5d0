/** Requests of a page, and of the service's redirect, to the sessions that a backend holds. */
import { LIFETIME } from '../../shared/authorization/attempt-record'
import { type Attempt, beginAttempt } from '../../shared/authorization/attempt'
import { isFresh } from '../../shared/authorization/decode-attempt'
import { checkCallback, readCallback } from '../../shared/authorization/check-callback'
import {
  ConfigurationError,
  FoyerError,
  ProtocolError,
  SessionError,
  AuthorizationError,
} from '../../shared/foundation/errors'
import { cleanCause } from '../../shared/foundation/error-text'
import { base64url, randomText, sha256 } from '../../shared/foundation/crypto'
import { isText } from '../../shared/foundation/untrusted-values'
import { PLAYER_HEADER } from '../../shared/tokens/kept-token'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { CodeExchangeArgs } from './application-tokens'
import { endOfIdToken, type FoundSession } from './backend-sessions'
import type { BackendCaller } from '../budget/backend-caller'
import { secondsUntilRetry } from '../players/player-token-error'
import { requireRequest } from '../requests/require-request'
import { dropAttempt, dropCookies, keepAttempt, keepCookie, readSentCookies } from './answer-cookies'
import { isFromGame, mayOpenPage } from './check-origin'
import { findOwnSession, findSession } from './find-session'
import { leavePage } from './leave-page'
import { exposedHeaders, relayCall } from './relay-call'
import { refusalRemedyOf } from './refusal-remedies'
import type { SessionHandlerParts, SessionRequestParts } from './session-request-parts'
import { answer, readFields, sessionResponse } from './session-response'
import { openAttempt, sealAttempt, useOf } from './sign-in-attempt'
import { attemptCookie, readCookie } from './session-cookies'

const PREFLIGHT = {
  'access-control-allow-headers': `content-type, ${PLAYER_HEADER}`,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
}
const UNREAD = 'A body parser such as express.json() has read the body: put createSessionHandler before it'
const UNLISTED =
  'Not among the origins of createSessionHandler. List it in origins if it is a page of the game'
/** Characters of an origin in the log: a stranger can send any. */
const MAX_SHOWN = 100
const NO_STORE = { 'cache-control': 'no-store', vary: 'origin, cookie' }

type Route = (request: Request, parts: SessionRequestParts) => Promise<Response>

const POSTS: Readonly<Record<string, Route>> = {
  'sign-in': signIn,
  token: giveTokens,
  revoke: revokeTokens,
  'sign-out': signOut,
}
const GETS: Readonly<Record<string, Route>> = { start, callback }
/** Every route of a page to its session, by method and name. */
export const sessionRoutes = (): readonly string[] => [
  ...Object.keys(POSTS).map((name) => `POST ${name}`),
  ...Object.keys(GETS).map((name) => `GET ${name}`),
]

export async function handleSessionRequest(request: Request, given: SessionHandlerParts): Promise<Response> {
  requireRequest(request)
  const parts = { ...given, place: given.placeOf(request) }
  const response = await route(request, parts).catch((error: unknown) => refuse(error, parts))
  for (const [name, value] of Object.entries(NO_STORE)) response.headers.set(name, value)
  const origin = request.headers.get('origin')
  if (origin === null || !parts.origins.includes(origin)) return response
  // A page of the game on another origin than the backend.
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-allow-credentials', 'true')
  response.headers.set('access-control-expose-headers', exposedHeaders())
  return response
}

async function route(request: Request, parts: SessionRequestParts): Promise<Response> {
  const pathname = new URL(request.url).pathname.replace(/\/$/, '')
  const name = pathname.startsWith(`${parts.path}/`) ? pathname.slice(parts.path.length + 1) : ''
  const known = { ...ownOf(POSTS, name, 'POST'), ...ownOf(GETS, name, 'GET') }
  const isRelayed = parts.isRelaying && name.startsWith('api/')
  const [[allowed, run] = []] = isRelayed ? [[request.method, relayed]] : Object.entries(known)
  if (!allowed || !run) return refuseElsewhere(pathname, parts)
  reportForeignOrigin(request, parts)
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT })
  if (request.method !== allowed) return answer({ error: 'method_not_allowed' }, 405, { allow: allowed })
  if (Object.hasOwn(GETS, name) && mayOpenPage(request)) return openPage(request, parts, run)
  // The service's redirect comes from another site: the cookie of its attempt protects it.
  if (name !== 'callback' && !isFromGame(request, parts.origins))
    return answer({ error: 'foreign_origin' }, 403)
  if (request.bodyUsed) return refuseConsumed(parts)
  return run(request, parts)
}

/** A path of a session below another one than `path`: the handler is mounted there, and the page cannot know why it has no session. */
function refuseElsewhere(pathname: string, { path, log }: SessionRequestParts): Response {
  const [, mount = '', name = ''] = /^(.*)\/([\w-]+)$/.exec(pathname) ?? []
  const isMount = mount !== path && mount !== '' && (Object.hasOwn(POSTS, name) || Object.hasOwn(GETS, name))
  if (!isMount) return answer({ error: 'not_found' }, 404)
  const message = `createSessionHandler is reached at ${mount.slice(0, MAX_SHOWN)}, and its path is ${path}: set path: '${mount.slice(0, MAX_SHOWN)}'`
  log('warn', 'session.wrong_path', { message })
  return answer({ error: 'not_found', message }, 404)
}

/** A browser shows the page no answer to a foreign origin, so that the log alone can say why. */
function reportForeignOrigin({ headers }: Request, { origins, log }: SessionRequestParts): void {
  const origin = headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  log('warn', 'session.foreign_origin', { origin: origin.slice(0, MAX_SHOWN), remedy: UNLISTED })
}

/** A body parser in front of the handler has read the body, and the page cannot know. */
function refuseConsumed({ log }: SessionRequestParts): Response {
  log('error', 'session.body_consumed', { remedy: UNREAD })
  return answer({ error: 'body_consumed', message: UNREAD }, 400)
}

/** For a page that the player sees: what would be an error in JSON is a redirect with its code. A link to `start` may be anywhere. */
async function openPage(request: Request, parts: SessionRequestParts, open: Route): Promise<Response> {
  const response = await open(request, parts).catch((error: unknown) => refuse(error, parts))
  if (response.status < 400) return response
  return leavePage({
    to: ownPath(new URL(request.url).searchParams.get('return_to')),
    reason: await reasonOf(response),
  })
}

/** The code of an error's answer. */
async function reasonOf(response: Response): Promise<string> {
  const { error }: { error?: unknown } = await response.json()
  return String(error)
}

const ownOf = (
  routes: Readonly<Record<string, Route>>,
  name: string,
  method: string,
): Record<string, Route> => {
  const found = Object.hasOwn(routes, name) ? routes[name] : undefined
  return found ? { [method]: found } : {}
}

/** A call of the service's API by a page without tokens. */
const relayed: Route = (request, parts) =>
  relayCall(request, new URL(request.url).pathname.slice(`${parts.path}/api`.length), parts)

/** Redeems a code whose verifier and nonce the page holds. */
async function signIn(request: Request, parts: SessionRequestParts): Promise<Response> {
  const fields = await readFields(request, parts)
  const text = (name: string): string | undefined => (isText(fields[name], /./) ? fields[name] : undefined)
  const [code, codeVerifier] = [text('code'), text('codeVerifier')]
  // Without a verifier, a code of somebody else could be injected.
  if (!code || !codeVerifier) throw new ConfigurationError('invalid_argument', 'code and codeVerifier')
  const args = { code, codeVerifier, redirectUri: text('redirectUri'), nonce: text('nonce') }
  const found = await establish(request, parts, { args, isEmbedded: fields['isEmbedded'] === true })
  return sessionResponse(found, parts)
}

/** Exchanges the code, and replaces the browser's session, if it had one. */
async function establish(
  request: Request,
  parts: SessionRequestParts,
  { args, isEmbedded }: { args: CodeExchangeArgs; isEmbedded: boolean },
): Promise<FoundSession> {
  const { sessions, serviceFor, strangerOf, scopes } = parts
  const [previous, sent] = await Promise.all([
    findOwnSession(request, parts),
    readSentCookies(request, parts),
  ])
  // Behind an address that many share, a player who was here before is no stranger.
  const player = previous?.record.userId ?? sent.find(({ userId }) => userId !== undefined)?.userId
  const caller: BackendCaller = player === undefined ? strangerOf(request) : { kind: 'player', id: player }
  const tokens = await serviceFor(caller).tokens.exchangeCode({ scopes, ...args })
  // The service has accepted the code.
  const userId = await serviceFor({ kind: 'session' }).identify(tokens)
  for (const { id } of sent) if (id !== undefined) await sessions.replace(id)
  return sessions.begin({ userId, tokens, isEmbedded, ...endOfIdToken(tokens) })
}

/** The tokens of the session for the page. `refused`: hash of an access token that is to be replaced. */
async function giveTokens(request: Request, parts: SessionRequestParts): Promise<Response> {
  const { refused, ask } = await readFields(request, parts)
  const found = await findOwnSession(request, parts)
  if (!found) {
    // A page that begins only asks, and browsers show each 401 as an error.
    if (ask === true) return answer({ user_id: null }, 200)
    throw new SessionError('signed_out')
  }
  const isRefused = (record: FoundSession['record']) => hashOf(record.tokens) === refused
  return sessionResponse(await parts.sessions.renewed(found, isRefused), parts)
}

/** `userId`: whom the page shows. The session of another player, who signed in in another tab, stays. */
async function signOut(request: Request, parts: SessionRequestParts): Promise<Response> {
  const { sessions, serviceFor } = parts
  const { revoke, userId } = await readFields(request, parts)
  const [found, sent] = await Promise.all([findOwnSession(request, parts), readSentCookies(request, parts)])
  if (found && userId !== undefined && userId !== found.record.userId) return answer({ revoked: false }, 200)
  if (found) await sessions.remove(found.id)
  const token = found?.record.tokens.refreshToken ?? found?.record.tokens.accessToken
  if (revoke === true && found && token) await serviceFor(playerOf(found)).tokens.revoke(token)
  const response = answer({ revoked: revoke === true && token !== undefined }, 200)
  await dropCookies(response, sent, parts)
  return response
}

const playerOf = ({ record: { userId } }: FoundSession): BackendCaller => ({ kind: 'player', id: userId })

/** Revokes a token of the page, or those of the session, which ends then. A session whose revocation fails stays. */
async function revokeTokens(request: Request, parts: SessionRequestParts): Promise<Response> {
  const { sessions, serviceFor } = parts
  const { token, userId } = await readFields(request, parts)
  if (token !== undefined && !isText(token, /^[!-~]{1,8192}$/))
    throw new ConfigurationError('invalid_argument', 'token')
  const [found, sent] = await Promise.all([
    findSession(request, parts, token === undefined ? userId : undefined),
    readSentCookies(request, parts),
  ])
  if (!found) throw new SessionError('signed_out')
  const { accessToken, refreshToken = accessToken } = found.record.tokens
  await serviceFor(playerOf(found)).tokens.revoke(token ?? refreshToken)
  if (token !== undefined && token !== accessToken.reveal()) return answer({ revoked: true }, 200)
  await sessions.remove(found.id)
  const response = answer({ revoked: true }, 200)
  await dropCookies(response, sent, parts)
  return response
}

/** Sends the player to the authorize page. The attempt is in a sealed cookie of this browser. */
async function start(request: Request, parts: SessionRequestParts): Promise<Response> {
  const { redirectUri, service, clock, applicationId: clientId, scopes } = parts
  if (!redirectUri) return answer({ error: 'not_found' }, 404)
  const { searchParams } = new URL(request.url)
  const { attempt, url } = beginAttempt({ clientId, scopes }, redirectUri, {
    service,
    owner: '',
    now: clock.now(),
  })
  const value = await sealAttempt(parts, { attempt, returnTo: ownPath(searchParams.get('return_to')) })
  const response = new Response(null, {
    status: 302,
    headers: { location: url, 'referrer-policy': 'no-referrer' },
  })
  keepAttempt(response, request, {
    name: attemptCookie(parts.place, attempt.state),
    value,
    place: parts.place,
  })
  return response
}

/** Completes an attempt that this browser started, and returns to the page. */
async function callback(request: Request, parts: SessionRequestParts): Promise<Response> {
  const { place } = parts
  const name = attemptCookie(place, new URL(request.url).searchParams.get('state') ?? '')
  const opened = await openAttempt(parts, readCookie(request.headers, name))
  try {
    const found = await redeem(request, parts, opened?.attempt)
    const response = leavePage({ to: opened?.returnTo ?? HOME })
    dropAttempt(response, { name, place })
    await keepCookie(response, found, parts)
    return response
  } catch (error) {
    if (!mayOpenPage(request)) throw error
    const response = leavePage({ to: opened?.returnTo ?? HOME, reason: await reasonOf(refuse(error, parts)) })
    if (!mayPass(error)) dropAttempt(response, { name, place })
    return response
  }
}

/** The session for the code of a callback to this attempt. @throws AuthorizationError `state_mismatch` for that of no attempt of this browser. */
async function redeem(
  request: Request,
  parts: SessionRequestParts,
  attempt: Attempt | undefined,
): Promise<FoundSession> {
  if (!attempt || !isFresh(attempt, parts.clock.now())) throw new AuthorizationError('state_mismatch')
  const args = codeOf(request, attempt, parts)
  return useOnce(attempt, parts, () => establish(request, parts, { args, isEmbedded: false }))
}

/** An attempt is for one code (RFC 9700 section 4.7.1). It may be used again if the service did not receive that code. */
async function useOnce<Result>(
  attempt: Attempt,
  parts: SessionRequestParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const { store, applicationId } = parts
  const [key, owner] = [useOf(applicationId, attempt), randomText()]
  if (!(await store.lock(key, owner, LIFETIME))) throw new AuthorizationError('state_mismatch')
  try {
    return await work()
  } catch (error) {
    if (mayPass(error)) await store.unlock(key, owner)
    throw error
  }
}

/** True while the same code may be sent once more: the service did not receive it. */
const mayPass = (error: unknown): boolean =>
  error instanceof FoyerError && error.retryable && !(error instanceof AuthorizationError)

/** @throws AuthorizationError for a callback that is not this attempt's, or that holds an error. */
function codeOf(request: Request, attempt: Attempt, { service }: SessionRequestParts): CodeExchangeArgs {
  const { redirectUri, verifier, nonce, scopes } = attempt
  // The address as the browser saw it: a proxy may have changed host and scheme.
  const { search } = new URL(request.url)
  const outcome = checkCallback(readCallback(redirectUri + search), attempt, service)
  if (!outcome.code)
    throw new AuthorizationError(outcome.error === 'access_denied' ? 'access_denied' : 'authorization_failed')
  return { code: outcome.code, redirectUri, codeVerifier: verifier, nonce, scopes }
}

/** Where a sign-in that nobody began here ends. */
const HOME = '/'
/** Maximum characters of a path to return to: it is in the cookie of the attempt, which browsers drop above 4 KB. */
const MAX_PATH = 1024

/** A path of this site: never an address of another one. */
const ownPath = (given: string | null): string =>
  given && given.length <= MAX_PATH && /^\/(?![/\\])[!-[\]-~]*$/.test(given) ? given : HOME

const hashOf = ({ accessToken }: TokenSet): string => base64url(sha256(accessToken.reveal()))

/** The service's refusals keep their codes. Whatever may pass is 503: the player stays signed in. */
function refuse(error: unknown, { log }: SessionRequestParts): Response {
  const code = error instanceof FoyerError ? error.code : 'store_unavailable'
  const isSignedOut = error instanceof SessionError && !error.retryable
  const remedy = refusalRemedyOf(error)
  log(isSignedOut ? 'info' : 'warn', 'session.refused', {
    code,
    ...causeOf(error),
    ...(remedy !== undefined && { remedy }),
  })
  // The cookie stays: a late response would take that of a player who has signed in meanwhile.
  if (isSignedOut) return answer({ error: code }, 401)
  if (error instanceof AuthorizationError || error instanceof ConfigurationError)
    return answer({ error: code }, 400)
  if (error instanceof ProtocolError && !error.retryable) return answer({ error: code }, 502)
  return answer({ error: code }, 503, { 'retry-after': secondsUntilRetry(error) })
}

/** Why a store failed, or a request: as its client says it, without what may be secret. */
function causeOf(error: unknown): { cause?: string } {
  const cause = cleanCause(error instanceof FoyerError ? error.cause : error)
  return cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {}
}
