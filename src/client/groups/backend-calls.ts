/** Requests of the signed-in player to the game's own backend. */
import { cleanText } from '../../shared/foundation/error-text'
import { inTime, type Wait } from '../../shared/foundation/in-time'
import { listenToAbort, createDeferred } from '../../shared/foundation/async'
import {
  ConfigurationError,
  FoyerError,
  NetworkError,
  ProtocolError,
  ApiError,
} from '../../shared/foundation/errors'
import type { Secret } from '../../shared/foundation/secret'
import {
  type CallOptions,
  checkOptions,
  type Optional,
  requireRevealed,
} from '../../shared/foundation/options'
import { toNetworkError, fetchUnfollowed } from '../../shared/http/http-client'
import { ownFields, withoutUndefined, readUrl } from '../../shared/foundation/untrusted-values'
import type { PlayerRequests } from '../lobbies/lobby-updates'
import { bearerOf, KeptToken, PLAYER_HEADER } from '../../shared/tokens/kept-token'
import type { SessionRecord } from '../session/session'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'
import { askForHandler, isLoopback, isSecure } from '../../shared/foundation/addresses'

/** ms before its end from which an ID token is replaced. */
const MIN_REMAINING = 60_000
const ROUTE = 'backend.fetch'
const TICKET = 'backend.fetchTicket'
const VERIFY = 'Let the backend verify the cookie: session.verify(request) of createSessionHandler'
const ID_TOKEN =
  'It has ended, or the service issued none: sign in again, or leave out token, and the access token is sent'
const ACCEPT = 'Let the backend accept access tokens too: createPlayerVerifier({ accessTokens: true })'

/** Options of `client.backend.fetch`: those of `fetch`, without `redirect` and `credentials`. */
export interface BackendRequestInit extends Optional<Omit<RequestInit, 'redirect' | 'credentials'>> {
  /**
   * Token for the Authorization header. Default: the ID token, which only proves who the player is, or the access token instead of one that has
   * ended or that the service did not issue: let the backend accept both (`createPlayerVerifier({ accessTokens: true })`). `id_token`: nothing
   * else is sent, and the call rejects with `missing_id_token` where there is none. An `access_token` lets the backend act for the player.
   */
  token?: 'id_token' | 'access_token' | undefined
}

/** Undefined: the ID token, or the access token where there is none that lasts. */
type TokenKind = 'id_token' | 'access_token' | undefined

/** Sends a request of the player to the game's own backend. */
export async function fetchFromBackend(
  call: PlayerCall,
  url: string,
  init: BackendRequestInit | undefined,
): Promise<Response> {
  const origins = await backendOrigins(call.context)
  return sendAsPlayer(call, resolveBackendUrl(url, origins), withoutUndefined(init))
}

export async function fetchTicket(
  call: PlayerCall,
  url: string,
  options: CallOptions | undefined,
): Promise<string> {
  const { signal } = checkOptions(options, ['signal'])
  const { clock, requestTimeout: timeout } = call.context.options
  const target = resolveBackendUrl(url, await backendOrigins(call.context))
  const response = await sendAsPlayer(call, target, withoutUndefined({ method: 'POST', signal }))
  const ticket = await readTicket(response, target, { clock, timeout, signal })
  // It would admit its player in the place of another one.
  call.caller.requireCurrent()
  return ticket
}

/**
 * Requests of a stream: to the game's backend with the ID token, and to a service on this machine with the access token. A stream ends with
 * its player.
 */
export async function createPlayerRequests(
  context: ClientContext,
  answers: BackendAnswers,
  lobbyIds: PlayerRequests['lobbyIds'],
): Promise<PlayerRequests> {
  const { authState, options, sessions } = context
  const origins = await backendOrigins(context)
  const local = localServiceOrigin(options.service.host)
  return {
    isAllowed: (url) => isOfOrigin(url, [...origins, local]),
    async fetch(url, init) {
      const target = resolveBackendUrl(url, local === undefined ? origins : [...origins, local])
      const call = { context, answers, caller: authState.caller }
      return sendAsPlayer(call, target, {
        ...init,
        token: isOfOrigin(url, origins) ? undefined : 'access_token',
      })
    },
    async sessionKey() {
      const { record } = (await sessions()).currentSession
      return record ? `${record.userId} ${record.id}` : undefined
    },
    lobbyIds,
  }
}

/** Origins that the game lists, and the one of the backend that holds the session. */
async function backendOrigins({ options, sessions }: ClientContext): Promise<readonly string[]> {
  const origins = allowedOrigins(options.backendOrigins)
  const { backendOrigin } = await sessions()
  return backendOrigin === undefined ? origins : [...origins, backendOrigin]
}

/** Answers of the game's backend to one client. */
export interface BackendAnswers {
  /** Session that it refused right after a refresh: another refresh would not help. */
  refusedSession?: string | undefined
  /** Header with an ID token that it refused, and that a refresh did not replace. */
  refusedIdToken?: string | undefined
  /** Session for which the access token was announced to replace the ID token. */
  saidAccessToken?: string | undefined
}

/** A client, and the session that made the call. */
export interface PlayerCall {
  context: ClientContext
  answers: BackendAnswers
  caller: Caller
}

/** Sends a request, and once more with a new token after a 401. */
async function sendAsPlayer(call: PlayerCall, url: string, init: BackendRequestInit): Promise<Response> {
  const { token, ...rest } = ownFields(init)
  const request = ownFields(rest)
  requireKind(token)
  const record = token === 'access_token' ? await usableRecord(call) : await withLastingIdToken(call)
  const { context, answers } = call
  const sent = headerOf(call, record, token)
  const response = await send(call, { url, request, authorization: sent })
  if (response.status !== 401) answers.refusedSession = undefined
  if (response.status !== 401 || isStream(request.body) || answers.refusedSession === record.id)
    return response
  // The backend looks for a token, and no other request of this page has one.
  const isRefused = response.headers.has(PLAYER_HEADER)
  const other = isRefused ? sent : await replaceToken(call, record, { refused: sent, kind: token })
  if (other === undefined) return response
  const repeated = isRefused ? response : await send(call, { url, request, authorization: other })
  if (repeated.status === 401) {
    requireNoOther(call)
    answers.refusedSession = record.id
    context.log('warn', 'backend.refused', {
      remedy: record.tokens.accessToken instanceof KeptToken ? VERIFY : ACCEPT,
    })
  } else (await context.sessions()).confirmReplacement()
  return repeated
}

interface BackendRequest {
  url: string
  request: Omit<BackendRequestInit, 'token'>
  /** The Authorization header. */
  authorization: string
}

async function send(
  { context, caller }: PlayerCall,
  { url, request, authorization }: BackendRequest,
): Promise<Response> {
  caller.requireCurrent()
  const headers = new Headers(request.headers)
  headers.forEach((value, name) => requireRevealed(value, `header ${name}`))
  headers.set('authorization', authorization)
  const { clock, requestTimeout: timeout, fetch } = context.options
  const answer = createDeferred<Response>(clock, {
    timeout,
    signals: [request.signal ?? undefined],
    makeError: (code) => new NetworkError(code, ROUTE),
  })
  // Not the signal of the deferred, which ends with the head: the body may go on.
  const connection = new AbortController()
  listenToAbort(request.signal ?? undefined, () => connection.abort())
  const init = { ...withoutUndefined(request), headers, signal: connection.signal }
  fetchUnfollowed(fetch, { url, route: ROUTE }, init).then(answer.resolve, answer.reject)
  try {
    const response = await answer.promise
    // What a session has read is for no other one.
    if (/^(GET|HEAD)$/i.test(request.method ?? 'GET')) caller.requireCurrent()
    return response
  } catch (error) {
    connection.abort()
    if (error instanceof FoyerError) throw error
    throw toNetworkError(error, ROUTE)
  }
}

const usableRecord = async ({ context, caller }: PlayerCall): Promise<SessionRecord> =>
  (await context.sessions()).getUsableRecord(caller)

/**
 * Refreshes the session once if its ID token ends soon: most services issue a new one only with a sign-in, and a second refresh would bring
 * none either. A failed refresh is no reason to reject while the token lasts.
 */
async function withLastingIdToken(call: PlayerCall): Promise<SessionRecord> {
  const { context, caller } = call
  const record = await usableRecord(call)
  const remaining = endOfIdToken(record) - context.options.clock.now()
  if (record.tokens.accessToken instanceof KeptToken || remaining > MIN_REMAINING) return record
  const sessions = await context.sessions()
  if (!sessions.canRefresh(record) || record.idTokenAt !== undefined) return record
  const refreshed = await sessions.refresh(record).catch((error: unknown) => {
    if (remaining > 0) return record
    throw error
  })
  return caller.requireOwn(refreshed)
}

/** Epoch ms of this machine's clock, which may differ from the service's: counted from the arrival of the token. */
function endOfIdToken({ obtainedAt, idTokenAt = obtainedAt, tokens: { claims } }: SessionRecord): number {
  return claims ? idTokenAt + (claims.exp - claims.iat) * 1000 : Number.POSITIVE_INFINITY
}

interface Refusal {
  /** The refused header. */
  refused: string
  kind: TokenKind
}

/** Resolves with undefined if there is no other token. Another call or tab may have refreshed meanwhile. */
async function replaceToken(
  call: PlayerCall,
  record: SessionRecord,
  { refused, kind }: Refusal,
): Promise<string | undefined> {
  const { context, answers, caller } = call
  const sessions = await context.sessions()
  const isOf = (candidate: SessionRecord) => headerOf(call, candidate, kind) === refused
  const refuseIdToken = ({ tokens }: SessionRecord) => {
    if (tokens.idToken && bearer(tokens.idToken) === refused) answers.refusedIdToken = refused
  }
  // Known from an earlier refresh: another one would bring no ID token either.
  if (record.idTokenAt !== undefined) refuseIdToken(record)
  try {
    const replaced = await sessions.replaceRefused(caller, { isOf })
    if (!replaced) return undefined
    if (isOf(replaced)) refuseIdToken(replaced)
    return isOf(replaced) ? undefined : headerOf(call, replaced, kind)
  } catch {
    requireNoOther(call)
    return undefined
  }
}

/** The game gets the refusal that it has, but no other player's screen does. @throws SessionError `signed_out`. */
function requireNoOther({ context, caller }: PlayerCall): void {
  if (context.authState.session) caller.requireCurrent()
}

const isStream = (body: unknown): boolean => typeof body === 'object' && body !== null && 'getReader' in body

/** @throws ConfigurationError `invalid_argument`. */
function requireKind(token: unknown): void {
  if (token === undefined || token === 'id_token' || token === 'access_token') return
  throw new ConfigurationError('invalid_argument', 'token', { remedy: "Give 'id_token' or 'access_token'" })
}

/**
 * The Authorization header. The access token replaces an ID token that is absent, has ended, or was refused while refreshes bring no other: the backend looks it up at
 * the service. Says so once. @throws ProtocolError `missing_id_token` if nothing but the ID token may be sent.
 */
function headerOf({ context, answers }: PlayerCall, record: SessionRecord, kind: TokenKind): string {
  const { tokens } = record
  if (kind === 'access_token' || tokens.accessToken instanceof KeptToken) return bearerOf(tokens)
  const idToken =
    endOfIdToken(record) > context.options.clock.now() && tokens.idToken ? bearer(tokens.idToken) : undefined
  if (idToken !== undefined && (idToken !== answers.refusedIdToken || kind)) return idToken
  if (kind) throw new ProtocolError('missing_id_token', ROUTE, { remedy: ID_TOKEN })
  if (answers.saidAccessToken !== record.id) context.log('warn', 'backend.access_token', { remedy: ACCEPT })
  answers.saidAccessToken = record.id
  return bearerOf(tokens)
}

const bearer = (token: Secret): string => bearerOf({ accessToken: token })

/** @throws ApiError for a refusal of the backend. @throws ProtocolError `malformed_response`. @throws NetworkError `timed_out`, `aborted`. */
async function readTicket(response: Response, url: string, wait: Omit<Wait, 'name'>): Promise<string> {
  const { ok, status } = response
  const remedy = askForHandler('createPlayerTickets', url)
  const read = response.json().catch(() => undefined)
  const body: unknown = await inTime(read, { ...wait, name: TICKET })
  const { ticket, message }: { ticket?: unknown; message?: unknown } = Object(body)
  // The handler says what is missing.
  const said = typeof message === 'string' ? cleanText(message, 300) : ''
  const isElsewhere = status === 404 || status === 405
  if (!ok)
    throw new ApiError(`http_${status}`, TICKET, { status, remedy: said || (isElsewhere ? remedy : '') })
  if (typeof ticket === 'string') return ticket
  throw new ProtocolError('malformed_response', TICKET, {
    path: 'ticket',
    expected: 'a string',
    remedy,
  })
}

const REMEDY = "Name the backend in the client's options: backendOrigins: ['https://game.example']"

/** @throws ConfigurationError `insecure_endpoint`, `invalid_argument` for an entry that is more than an origin. */
export function allowedOrigins(given: readonly string[] = []): readonly string[] {
  if (!Array.isArray(given))
    throw new ConfigurationError('invalid_argument', 'backendOrigins: a list', {
      remedy: "Write ['https://game.example']",
    })
  return given.map((entry, index) => {
    const url = readUrl(entry)
    if (!url || (url.origin !== entry && `${url.origin}/` !== entry))
      throw new ConfigurationError('invalid_argument', `backendOrigins[${index}]`, { remedy: REMEDY })
    if (!isSecure(url)) throw new ConfigurationError('insecure_endpoint', `backendOrigins[${index}]`)
    return url.origin
  })
}

/**
 * Returns the absolute URL of a request, which must be of one of the origins. A path belongs to the first origin.
 *
 * @throws ConfigurationError `invalid_argument`. The message does not quote the URL, which may hold personal data.
 */
export function resolveBackendUrl(url: string, origins: readonly string[]): string {
  const [first] = origins
  const target = readUrl(url, first)
  if (!target || !origins.includes(target.origin) || target.username + target.password !== '')
    throw new ConfigurationError('invalid_argument', 'url: of an origin in backendOrigins', {
      remedy: REMEDY,
    })
  return target.href
}

/** Returns the origin of a service on this machine: the emulator takes the player's token there, as in every call of its API. */
export function localServiceOrigin(host: string): string | undefined {
  const url = readUrl(host)
  return url && isLoopback(url.hostname) ? url.origin : undefined
}

/** True if the URL is of one of the origins. */
export const isOfOrigin = (url: string, origins: readonly (string | undefined)[]): boolean =>
  origins.includes(readUrl(url)?.origin ?? '')
