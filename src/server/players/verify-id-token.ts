/** Verifies the ID token that a player sends to the game's backend (OpenID Connect Core section 3.1.3.7). */
import { ProtocolError } from '../../shared/foundation/errors'
import { type ApplicationId, isUserId, type UserId } from '../../shared/foundation/ids'
import { requireClaims, requireTimes, requireSignature } from '../../shared/tokens/verify-id-token'
import { parseIdToken, parseJson } from '../../shared/tokens/parse-id-token'
import type { RemoteJwks } from '../../shared/tokens/remote-jwks'
import { namesOf, type Player } from './player'
import { PlayerTokenError } from './player-token-error'

/** Required properties of a player's ID token. */
export interface IdTokenRules {
  readonly issuer: string
  readonly clientId: ApplicationId
  readonly keys: RemoteJwks
  /** Epoch ms. The backend's clock is the reference: unlike a player's machine, it is expected to be right within a minute. */
  readonly now: number
}

/** Remedies for mistakes in the game's own code, by the invalid part. */
const REMEDIES: Partial<Record<string, string>> = {
  id_token:
    'It is no ID token: send session.tokens.idToken.reveal(), or accept access tokens with accessTokens: true',
  aud: 'The token is for another application: use the applicationId of the client',
  iss: 'The token is from another service: use the service of the client',
}

/** @throws PlayerTokenError `player_token_expired`, `player_token_rejected`. @throws ProtocolError `keys_unavailable` (retryable). */
export async function verifyPlayerIdToken(token: string, rules: IdTokenRules): Promise<Player> {
  try {
    return await runChecks(token, rules)
  } catch (error) {
    throw error instanceof ProtocolError && error.code === 'invalid_id_token' ? toRefusal(error) : error
  }
}

async function runChecks(token: string, { issuer, clientId, keys, now }: IdTokenRules): Promise<Player> {
  const parsed = parseIdToken(token)
  await requireSignature(parsed, keys, await keys.find(parsed.header))
  // `at_hash` binds the token to an access token, and `nonce` to a sign-in: the player's client has checked both.
  const { at_hash: _hash, ...claims } = parseJson('payload', parsed.payload)
  requireClaims(claims, { issuer, clientId, isRefresh: true, accessToken: '', now }, [])
  requireTimes(claims, now)
  const names = namesOf(claims['preferred_username'], claims['nickname'])
  return { id: asUserId(claims.sub), ...names, expiresAt: claims.exp * 1000, claims }
}

/** `requireClaims` has validated the id; the claim's type is a plain string. */
function asUserId(sub: string): UserId {
  if (!isUserId(sub))
    throw new PlayerTokenError('player_token_rejected', { path: 'sub', expected: 'a user id' })
  return sub
}

function toRefusal({ path = '', expected = '' }: ProtocolError): PlayerTokenError {
  const isExpired = path === 'exp' && expected === 'ahead'
  return new PlayerTokenError(isExpired ? 'player_token_expired' : 'player_token_rejected', {
    path,
    expected,
    remedy: REMEDIES[path] ?? '',
  })
}
