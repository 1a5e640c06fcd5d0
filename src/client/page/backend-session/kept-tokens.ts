/** Sessions of a backend that gives the page no token: what its answers mean, and the way of requests through it. */
import type { ResolvedOptions } from '../../context/client-options'
import { ApiError, ConfigurationError } from '../../../shared/foundation/errors'
import { isUserId } from '../../../shared/foundation/ids'
import { isRecord } from '../../../shared/foundation/untrusted-values'
import { keptPlayer, KeptToken, PLAYER_HEADER } from '../../../shared/tokens/kept-token'
import type { ReceivedResponse } from '../../../shared/tokens/requests/token-endpoint'
import { type IdTokenClaims, splitScopes, type TokenSet } from '../../../shared/tokens/token-set'

const ELSEWHERE =
  "Only the backend at backendSession knows the player: its cookie goes nowhere else (tokens: 'none')"

/** Stands for the tokens that the backend keeps. Undefined for an answer with tokens. */
export function readKeptTokens({ response, receivedAt }: ReceivedResponse): TokenSet | undefined {
  const { tokens, user_id: userId, expires_in: expiresIn, scope, claims } = response.body
  if (tokens !== 'none' || !isUserId(userId)) return undefined
  return {
    accessToken: new KeptToken(userId),
    tokenType: 'Bearer',
    expiresAt: receivedAt + Math.max(0, Number(expiresIn) || 0) * 1000,
    scopes: splitScopes(String(scope)),
    ...(isClaims(claims) && claims.sub === userId && { claims }),
  }
}

/** The backend has verified them. */
function isClaims(claims: unknown): claims is IdTokenClaims {
  if (!isRecord(claims)) return false
  const { iss, aud, exp, iat } = claims
  return (
    typeof iss === 'string' &&
    (typeof aud === 'string' || Array.isArray(aud)) &&
    typeof exp === 'number' &&
    typeof iat === 'number'
  )
}

const isJson = ({ headers }: Response): boolean => /\bjson\b/.test(headers.get('content-type') ?? '')

/** Sends requests with a kept token through the backend, which knows the player by its cookie. All others stay as they are. */
export function relayKept(
  { fetch, service }: Pick<ResolvedOptions, 'fetch' | 'service'>,
  address: URL,
): ResolvedOptions['fetch'] {
  const base = `${service.baseUrl}/`
  return async (url, init) => {
    const headers = new Headers(init.headers)
    const player = keptPlayer(headers.get('authorization'))
    if (player === undefined) return fetch(url, init)
    headers.delete('authorization')
    headers.set(PLAYER_HEADER, player)
    const target = url.startsWith(base) ? `${address.href}/api/${url.slice(base.length)}` : url
    if (new URL(target).origin !== address.origin)
      throw new ConfigurationError('unsupported', 'url', { remedy: ELSEWHERE })
    const response = await fetch(target, { ...init, headers, credentials: 'include' })
    // The handler and the service answer with JSON.
    const isElsewhere = [404, 405].includes(response.status) && !isJson(response)
    if (!isElsewhere) return response
    const { status } = response
    const remedy = `No createSessionHandler answers there: give it every path below ${address.pathname}, with every method`
    throw new ApiError(`http_${status}`, `${init.method ?? 'GET'} ${new URL(target).pathname}`, {
      status,
      remedy,
    })
  }
}
