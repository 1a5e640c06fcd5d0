/** Calls about tokens: sessions from tokens of another source, revocation (RFC 7009), and refresh tokens of the game. */
import { type CallOptions, checkOptions, requireRevealed } from '../../shared/foundation/options'
import { ConfigurationError, SessionError, ProtocolError, ApiError } from '../../shared/foundation/errors'
import { reveal, Secret } from '../../shared/foundation/secret'
import { type TokenSet, splitScopes } from '../../shared/tokens/token-set'
import type { Caller } from '../session/caller'
import type { ClientBase } from '../context/client-base'
import type { GivenTokens } from '../session/token-store'
import type { Session, SessionRecord } from '../session/session'
import type { ClientContext } from './sign-in-client'
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import { inTime } from '../../shared/foundation/in-time'
import type { IdentifiedTokens } from '../../shared/tokens/identify-player'
import { KeptToken } from '../../shared/tokens/kept-token'
import type { VerifiedTokens } from '../../shared/tokens/token-endpoint'
import type { Sessions, SignOutResult } from './sessions'
import { formContent, endpointRoute } from '../../shared/http/http-client'

interface Revocation {
  token: Secret | string | null | undefined
  options: CallOptions | undefined
}

export async function updateToken(
  context: ClientContext,
  tokens: GivenTokens | Secret | string,
  options: CallOptions | undefined,
): Promise<Session> {
  const { signal } = checkOptions(options, ['signal'])
  return adoptToken(context, tokens, signal)
}

/** A token of the caller's session ends that session, unless another player's took its place meanwhile. */
export async function revokeToken(
  context: ClientContext,
  caller: Caller,
  { token, options }: Revocation,
): Promise<void> {
  const { signal } = checkOptions(options, ['signal'])
  const sessions = await context.sessions()
  const { currentSession } = sessions
  const { record } = currentSession
  const session = (caller.isCurrent && record?.userId === caller.userId && record) || undefined
  const { accessToken, refreshToken } = session?.tokens ?? {}
  const chosen = token ?? refreshToken ?? accessToken
  if (!chosen) throw new SessionError('signed_out')
  const isOwn =
    chosen === accessToken || [accessToken, refreshToken].some((each) => each?.reveal() === reveal(chosen))
  const own = isOwn ? session : undefined
  await sessions.revoke(chosen, own, signal)
  if (!own) return
  // Another tab may have put another session in its place.
  if (currentSession.record?.id === own.id) await currentSession.sync()
  if (!caller.isCurrent || currentSession.record?.id !== own.id) return
  // Not a sign-out: a sign-in of the next player that has begun meanwhile goes on.
  context.authState.set(null, 'disconnected')
  await currentSession.end()
}

/** Redeems a refresh token that is not the session's. */
export async function redeemRefreshToken(
  { options, tokenClient }: ClientBase,
  refreshToken: Secret | string,
  signal?: AbortSignal,
): Promise<TokenSet> {
  requireRevealed(refreshToken, 'refreshToken')
  const { clock, applicationId } = options
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  const client = await tokenClient()
  const fields = {
    grant_type: 'refresh_token',
    refresh_token: reveal(refreshToken),
    client_id: applicationId,
  }
  const response = await client.request(fields, signal)
  const received = { response, receivedAt: clock.now() }
  const { tokens } = await client.read(received, { clientId: applicationId, isRefresh: true }, signal)
  return tokens
}

/** Token syntax (RFC 6749 appendix A.12), with a length limit. */
const TOKEN = /^[!-~]{1,8192}$/
/** Assumed lifetime in seconds of an access token without a known expiry. */
const ASSUMED_LIFETIME = 3600
const REMEDY =
  'Pass { accessToken, expiresIn }, the JSON of a token response, a token set, or an access token as a string'

export async function adoptToken(
  { options, authState, sessions }: ClientContext,
  given: GivenTokens | Secret | string,
  signal?: AbortSignal,
): Promise<Session> {
  // Before anything waits: invalid tokens end no sign-in.
  const tokens = toTokenSet(given, options.clock.now())
  return authState.whileConnecting(
    async () => identify(await sessions(), tokens, signal),
    async (identified) => (await sessions()).adopt(identified),
  )
}

/** Asks the game for new tokens of the session's player; null ends the session. @throws ProtocolError `invalid_id_token` for another player's. */
export async function askForTokens(
  sessions: Sessions,
  { tokens: { accessToken: refused }, userId }: SessionRecord,
): Promise<IdentifiedTokens | null> {
  const { getToken, client } = sessions
  if (!getToken) return null
  const { clock, requestTimeout: timeout } = client.options
  const given = await inTime(getToken({ refused, userId }), { name: 'getToken', clock, timeout })
  if (!given) return null
  const identified = await identify(sessions, toTokenSet(given, sessions.client.options.clock.now()))
  if (identified.userId !== userId)
    throw new ProtocolError('invalid_id_token', 'sub', { path: 'sub', expected: 'as before' })
  return identified
}

async function identify(
  sessions: Sessions,
  tokens: TokenSet,
  signal?: AbortSignal,
): Promise<IdentifiedTokens> {
  return sessions.identify(await verify(sessions.client, tokens, signal), signal)
}

/** An ID token without claims is verified: it proves the player only then. */
async function verify(
  { options, tokenClient }: ClientBase,
  tokens: TokenSet,
  signal?: AbortSignal,
): Promise<VerifiedTokens> {
  const { clock, applicationId: clientId } = options
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const now = clock.now()
  const unverified = { tokens, clientId, asked: tokens.scopes, obtainedAt: now }
  if (!tokens.idToken || tokens.claims) return unverified
  const body = {
    access_token: tokens.accessToken.reveal(),
    token_type: 'Bearer',
    id_token: tokens.idToken.reveal(),
  }
  // The nonce belongs to the sign-in of whoever obtained the tokens.
  const received = { response: { status: 200, body, date: undefined }, receivedAt: now }
  const verified = await (await tokenClient()).read(received, { clientId, isRefresh: true }, signal)
  return { ...unverified, tokens: { ...tokens, claims: verified.tokens.claims } }
}

const isTokenSet = (given: unknown): given is TokenSet =>
  isRecord(given) && given['tokenType'] === 'Bearer' && 'scopes' in given

/** Tokens as they were given: a token set, a token response, or an access token alone. @throws ConfigurationError `invalid_argument`. */
function toTokenSet(given: unknown, now: number): TokenSet {
  return requireValid(
    isTokenSet(given)
      ? given
      : readFields(isRecord(given) && !('reveal' in given) ? given : { accessToken: given }, now),
  )
}

function readFields(fields: Readonly<Record<string, unknown>>, now: number): TokenSet {
  const {
    accessToken = fields['access_token'],
    refreshToken = fields['refresh_token'],
    idToken = fields['id_token'],
  } = fields
  const { expiresIn = fields['expires_in'] ?? ASSUMED_LIFETIME, scopes = fields['scope'] ?? [] } = fields
  const { expiresAt = now + Math.max(0, Number(expiresIn)) * 1000 } = fields
  const list: unknown = typeof scopes === 'string' ? splitScopes(scopes) : scopes
  return {
    accessToken: toSecret(accessToken),
    tokenType: 'Bearer',
    expiresAt: typeof expiresAt === 'number' ? expiresAt : Number.NaN,
    scopes: Array.isArray(list) ? list.map(String) : [],
    // A service sends null or an empty text where there is none.
    ...(refreshToken ? { refreshToken: toSecret(refreshToken) } : {}),
    ...(idToken ? { idToken: toSecret(idToken) } : {}),
  }
}

function toSecret(value: unknown): Secret {
  const text =
    isRecord(value) && typeof value['reveal'] === 'function'
      ? String(Reflect.apply(value['reveal'], value, []))
      : value
  requireRevealed(text, 'token')
  return new Secret(typeof text === 'string' ? text : '')
}

/** Rejects tokens that could not be sent, or not be decoded from a store later. */
function requireValid(tokens: TokenSet): TokenSet {
  const { accessToken, refreshToken = accessToken, idToken = accessToken, expiresAt, scopes } = tokens
  const areTokens = [accessToken, refreshToken, idToken].every(
    (each) => isRecord(each) && (each instanceof KeptToken || isText(reveal(each), TOKEN)),
  )
  if (areTokens && Number.isFinite(expiresAt) && Array.isArray(scopes)) return tokens
  throw new ConfigurationError('invalid_argument', 'token', { remedy: REMEDY })
}

/** `clientId`: application id that the token was issued to. */
interface Revoked {
  clientId: string | undefined
  signal?: AbortSignal | undefined
}

/** Succeeds for unknown tokens too (RFC 7009 section 2.2). @throws ApiError. @throws NetworkError. */
export async function revoke(
  client: ClientBase,
  token: Secret | string,
  { clientId = '', signal }: Revoked,
): Promise<void> {
  requireRevealed(token, 'token')
  const { revokeUrl: url } = client.options.service
  const route = `POST ${endpointRoute(url)}`
  const content = formContent({ token: reveal(token), client_id: clientId })
  const tokenClient = await client.tokenClient()
  const { status } = await tokenClient.send({
    method: 'POST',
    url,
    route,
    content,
    signal,
    isStatusEnough: true,
  })
  if (status !== 200) throw new ApiError(`http_${status}`, route, { status })
}

/** Revokes the tokens of a session that signs out. */
export async function revokeSession(
  client: ClientBase,
  session: SessionRecord,
  signal?: AbortSignal,
): Promise<SignOutResult> {
  const { tokens, clientId } = session
  await revoke(client, tokens.refreshToken ?? tokens.accessToken, { clientId, signal })
  return { revoked: true }
}
