/** What a token answer must look like before anything in it is believed (RFC 6749 section 5.1). Pure. */
import { isText } from '../foundation/encoding'
import { ProtocolError } from '../foundation/errors'
import { Secret } from '../foundation/secret'
import type { TokenResponse } from '../wire/oauth'

/** The verified content of an ID token. */
export interface IdTokenClaims {
  iss: string
  /** The player's id: a snowflake. */
  sub: string
  aud: string | readonly string[]
  /** Epoch seconds. */
  exp: number
  /** Epoch seconds. */
  iat: number
  nonce?: string
  azp?: string
  [claim: string]: unknown
}

/** A player's tokens. */
export interface TokenSet {
  accessToken: Secret
  /** Absent where the service gives none (provisional accounts, child tokens). */
  refreshToken?: Secret
  tokenType: 'Bearer'
  /** Epoch ms of this machine's clock. */
  expiresAt: number
  /** What the player granted; what was asked for when the service does not say (RFC 6749 section 5.1). */
  scopes: readonly string[]
  idToken?: Secret
  claims?: IdTokenClaims
}

/** RFC 6749 appendix A.12: visible characters and no space, bounded. */
const TOKEN = /^[!-~]{1,8192}$/
/** An ID token carries more than an access token may. */
const ID_TOKEN = /^[!-~]{1,16384}$/
const SCOPES = /^[!#-[\]-~ ]{0,4096}$/
const YEAR = 365 * 24 * 3600

/** What the request knew. */
export interface TokenContext {
  /** The scopes that were asked for, where that is known. */
  asked: readonly string[]
  /** Epoch ms when the answer arrived. */
  now: number
  /** Tokens that are renewed may come without an ID token, whatever was asked for (OpenID Connect Core section 12.2). */
  isRefresh?: boolean | undefined
}

/**
 * Decodes a token answer.
 * @throws ProtocolError `malformed_response`, `missing_id_token`.
 */
export function decodeTokenSet(body: TokenResponse, { asked, now, isRefresh }: TokenContext): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken } = body
  requireField(isText(accessToken, TOKEN), 'access_token', 'a token')
  requireField(isText(body.token_type, /^bearer$/i), 'token_type', 'Bearer')
  requireField(refreshToken === undefined || isText(refreshToken, TOKEN), 'refresh_token', 'a token')
  requireField(idToken === undefined || isText(idToken, ID_TOKEN), 'id_token', 'a token')
  requireField(body.scope === undefined || isText(body.scope, SCOPES), 'scope', 'scopes')
  if (idToken === undefined && !isRefresh && asked.includes('openid')) {
    throw new ProtocolError('missing_id_token')
  }
  return {
    accessToken: new Secret(accessToken),
    tokenType: 'Bearer',
    expiresAt: now + lifetime(body.expires_in) * 1000,
    scopes: body.scope === undefined ? asked : splitScopes(body.scope),
    ...(refreshToken !== undefined && { refreshToken: new Secret(refreshToken) }),
    ...(idToken !== undefined && { idToken: new Secret(idToken) }),
  }
}

/** Scopes as a list, in the order given, each once. */
export function splitScopes(scopes: string): readonly string[] {
  return [...new Set(scopes.split(' ').filter(Boolean))]
}

/** Seconds; a numeric string is accepted, and nothing lives longer than a year. Without the field: an hour, so that it is asked again soon. */
function lifetime(expiresIn: unknown): number {
  if (expiresIn === undefined) return 3600
  const seconds = typeof expiresIn === 'string' && /^\d{1,10}$/.test(expiresIn) ? Number(expiresIn) : expiresIn
  const usable = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
  requireField(usable, 'expires_in', 'seconds')
  return Math.min(seconds, YEAR)
}

function requireField(ok: boolean, path: string, expected: string): asserts ok {
  if (!ok) throw new ProtocolError('malformed_response', path, { path, expected })
}
