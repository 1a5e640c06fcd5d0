/** Tokens that came another way become the session. */
import { isRecord, isText } from '../../foundation/encoding'
import { ConfigurationError } from '../../foundation/errors'
import { isUserId, type UserId } from '../../foundation/ids'
import { memoizedImport } from '../../foundation/lazy'
import { reveal, Secret } from '../../foundation/secret'
import type { Session } from '../../tokens/session/session'
import type { TokenSet } from '../../tokens/token-set'
import type { ClientContext } from '../context'

/** RFC 6749 appendix A.12. */
const TOKEN = /^[!-~]{1,8192}$/
/** ms that an access token without a word of its end is taken to live. */
const UNKNOWN_LIFE = 3_600_000

export async function adoptToken(context: ClientContext, token: TokenSet | Secret | string, signal?: AbortSignal): Promise<Session> {
  const { authState, sessions, clock, applicationId } = context
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  const tokens = toTokenSet(token, clock.now())
  return authState.runSignIn(
    async () => ownerOf(context, tokens, signal),
    async (userId) => (await sessions()).adopt({ tokens, userId, clientId: applicationId, asked: tokens.scopes, obtainedAt: clock.now() }),
  )
}

function toTokenSet(token: TokenSet | Secret | string, now: number): TokenSet {
  if (isTokenSet(token)) return requireSound(token)
  return requireSound({ accessToken: new Secret(reveal(token)), tokenType: 'Bearer', expiresAt: now + UNKNOWN_LIFE, scopes: [] })
}

const isTokenSet = (token: unknown): token is TokenSet => isRecord(token) && 'accessToken' in token

/** What could not be sent, or not be read again from a store, is refused now. */
function requireSound(tokens: TokenSet): TokenSet {
  const { accessToken, refreshToken = accessToken, expiresAt, scopes } = tokens
  const areTokens = [accessToken, refreshToken].every((each) => isRecord(each) && isText(reveal(each), TOKEN))
  if (!areTokens || !Number.isFinite(expiresAt) || !Array.isArray(scopes))
    throw new ConfigurationError('invalid_argument', 'token', { remedy: 'Give a token set, or the text of an access token' })
  return tokens
}

/** Verified claims say it; otherwise the service is asked. */
async function ownerOf(context: ClientContext, { accessToken, claims }: TokenSet, signal?: AbortSignal): Promise<UserId> {
  if (isUserId(claims?.sub)) return claims.sub
  const calls = await (await memoizedImport(() => import('./user'))()).createUserMethods(context)
  return (await calls.fetchCurrentUser({ accessToken, ...(signal && { signal }) })).id
}
