/** Decodes and validates token responses (RFC 6749 section 5.1). Pure. A file of its own: it loads without the requests, which load later. */
import { ProtocolError } from '../foundation/errors'
import { Secret } from '../foundation/secret'
import { isText, ownFields } from '../foundation/untrusted-values'
import type { TokenResponse } from '../wire/oauth'

/** Claims of a verified ID token. */
export interface IdTokenClaims {
  /** Issuer. */
  iss: string
  /** The player's id: a snowflake. */
  sub: string
  /** Application ids that the token is for. */
  aud: string | readonly string[]
  /** Epoch seconds. */
  exp: number
  /** Epoch seconds. */
  iat: number
  /** Nonce of the sign-in. */
  nonce?: string | undefined
  /** Authorized party: the application that requested the token. */
  azp?: string | undefined
  [claim: string]: unknown
}

/** A player's tokens. */
export interface TokenSet {
  /** Access token, for requests to the service. */
  accessToken: Secret
  /** Absent if the service issues none (provisional accounts, child tokens). */
  refreshToken?: Secret | undefined
  /** Token type of the Authorization header. */
  tokenType: 'Bearer'
  /** Epoch ms of this machine's clock. */
  expiresAt: number
  /** The granted scopes; the requested ones if the response has no scope field (RFC 6749 section 5.1). */
  scopes: readonly string[]
  /** ID token, if the service issued one. */
  idToken?: Secret | undefined
  /** Claims of the verified ID token. */
  claims?: IdTokenClaims | undefined
}

/** RFC 6749 appendix A.12: visible characters and no space, bounded. */
const TOKEN = /^[!-~]{1,8192}$/
/** ID tokens may be longer than access tokens. */
const ID_TOKEN = /^[!-~]{1,16384}$/
const SCOPES = /^[!#-[\]-~ ]{0,4096}$/
const YEAR = 365 * 24 * 3600

/** Details of the request. */
export interface TokenContext {
  /** The requested scopes; empty if unknown. */
  requested: readonly string[]
  /** Epoch ms when the response arrived. */
  now: number
}

/**
 * Decodes a token response.
 * @throws ProtocolError `malformed_response`.
 */
export function decodeTokenSet(response: TokenResponse, { requested, now }: TokenContext): TokenSet {
  const body = ownFields(response)
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken } = body
  requireField(isText(accessToken, TOKEN), 'access_token', 'a token')
  requireField(isText(body.token_type, /^bearer$/i), 'token_type', 'Bearer')
  requireField(refreshToken === undefined || isText(refreshToken, TOKEN), 'refresh_token', 'a token')
  requireField(idToken === undefined || isText(idToken, ID_TOKEN), 'id_token', 'a token')
  requireField(body.scope === undefined || isText(body.scope, SCOPES), 'scope', 'scopes')
  return {
    accessToken: new Secret(accessToken),
    tokenType: 'Bearer',
    expiresAt: now + lifetime(body.expires_in) * 1000,
    scopes: body.scope === undefined ? requested : splitScopes(body.scope),
    ...(refreshToken !== undefined && { refreshToken: new Secret(refreshToken) }),
    ...(idToken !== undefined && { idToken: new Secret(idToken) }),
  }
}

/** Splits a scope string into a list without duplicates, in the given order. */
export function splitScopes(scopes: string): readonly string[] {
  return [...new Set(scopes.split(' ').filter(Boolean))]
}

/** Lifetime in seconds. Numeric strings are accepted; the maximum is a year. Default without the field: an hour, for an early refresh. */
function lifetime(expiresIn: unknown): number {
  if (expiresIn === undefined) return 3600
  const seconds =
    typeof expiresIn === 'string' && /^\d{1,10}$/.test(expiresIn) ? Number(expiresIn) : expiresIn
  const usable = typeof seconds === 'number' && seconds >= 0 && seconds < Number.POSITIVE_INFINITY
  requireField(usable, 'expires_in', 'seconds')
  return Math.min(seconds, YEAR)
}

/** @throws ProtocolError `malformed_response` that names the field of a response of the authorization server. */
export function requireField(ok: boolean, path: string, expected: string): asserts ok {
  if (!ok) throw new ProtocolError('malformed_response', path, { path, expected })
}
