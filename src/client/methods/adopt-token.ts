/** Makes tokens from another source the session. */
import { isRecord, isText } from '../../foundation/values/guard-untrusted-values'
import { ConfigurationError } from '../../foundation/errors'
import { reveal, Secret } from '../../foundation/secret'
import type { Session } from '../../tokens/session/session'
import type { TokenSet } from '../../tokens/token-set'
import type { ClientContext } from '../context/client-context'

/** Access token syntax (RFC 6749 appendix A.12), with a length limit. */
const TOKEN = /^[!-~]{1,8192}$/
/** Assumed lifetime in ms of an access token without a known expiry. */
const ASSUMED_LIFETIME = 3_600_000

export async function adoptToken(context: ClientContext, token: TokenSet | Secret | string, signal?: AbortSignal): Promise<Session> {
  const { authState, sessions, clock, applicationId } = context
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  const tokens = toTokenSet(token, clock.now())
  return authState.runSignIn(
    async () => {
      const { identify } = await context.exchange()
      return identify({ tokens, clientId: applicationId, asked: tokens.scopes, obtainedAt: clock.now() }, signal)
    },
    async (identified) => (await sessions()).adopt(identified),
  )
}

function toTokenSet(token: TokenSet | Secret | string, now: number): TokenSet {
  if (isTokenSet(token)) return requireValidTokens(token)
  return requireValidTokens({ accessToken: new Secret(reveal(token)), tokenType: 'Bearer', expiresAt: now + ASSUMED_LIFETIME, scopes: [] })
}

const isTokenSet = (token: unknown): token is TokenSet => isRecord(token) && 'accessToken' in token

/** Rejects tokens that could not be sent, or not be decoded from a store later. */
function requireValidTokens(tokens: TokenSet): TokenSet {
  const { accessToken, refreshToken = accessToken, expiresAt, scopes } = tokens
  const areTokens = [accessToken, refreshToken].every((each) => isRecord(each) && isText(reveal(each), TOKEN))
  if (!areTokens || !Number.isFinite(expiresAt) || !Array.isArray(scopes))
    throw new ConfigurationError('invalid_argument', 'token', { remedy: 'Pass a token set, or an access token as a string' })
  return tokens
}
