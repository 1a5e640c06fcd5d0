/** The token endpoint (RFC 6749 section 5): form out, checked JSON in, and its ID token verified. Requests are never repeated. */
import type { AuthorizationCodeVerifier } from '../authorization/attempt'
import type { ResultBinding } from '../authorization/authorization-result'
import { ProtocolError, ConfigurationError } from '../foundation/errors'
import type { Check, Log } from '../foundation/log-entry'
import { tokenErrorFrom } from '../foundation/oauth-errors'
import { reveal, type Secret } from '../foundation/secret'
import { isText, ownFields } from '../foundation/untrusted-values'
import {
  formContent,
  type HttpContext,
  type JsonResponse,
  requestJson,
  endpointRoute,
} from '../http/http-client'
import type { ServiceConfig } from '../service/service-config'
import type { RemoteJwks } from './remote-jwks'
import { decodeTokenSet, splitScopes, type TokenSet } from './token-set'
import { verifyIdToken } from './verify-id-token'

/** RFC 7636 section 4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/

/** A code verifier, or the whole result of `createAuthorizationCodeVerifier()`. */
export type GivenVerifier = Secret | string | AuthorizationCodeVerifier

const isPair = (given: GivenVerifier): given is AuthorizationCodeVerifier =>
  typeof given === 'object' && Object.hasOwn(given, 'verifier')

/** Undefined if none is given. @throws ConfigurationError `invalid_argument`. */
export function readVerifier(given: GivenVerifier | null | undefined): string | undefined {
  if (given === undefined || given === null) return undefined
  const text = reveal(isPair(given) ? given.verifier : given)
  if (isText(text, VERIFIER)) return text
  throw new ConfigurationError('invalid_argument', 'codeVerifier', {
    remedy: 'Pass what createAuthorizationCodeVerifier() returned',
  })
}

export interface TokenRequest {
  url: string
  /** Form fields; undefined fields are not sent. */
  fields: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

/**
 * Sends a token request (RFC 6749 section 4.1.3, docs/interface/authorization.md#token-requests) and resolves with any response.
 * @throws the errors of `requestJson`.
 */
export function postTokenRequest(
  http: HttpContext,
  { url, fields, signal }: TokenRequest,
): Promise<JsonResponse> {
  const given = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return requestJson(http, {
    method: 'POST',
    url,
    route: routeOf(url),
    content: formContent(Object.fromEntries(given)),
    signal,
  })
}

/**
 * Like `postTokenRequest`, but rejects for error responses. @throws AuthorizationError with the OAuth error. @throws ApiError for any other
 * error response.
 */
export async function requestTokens(http: HttpContext, request: TokenRequest): Promise<JsonResponse> {
  const response = await postTokenRequest(http, request)
  if (response.status !== 200 || response.body['error'] !== undefined)
    throw tokenErrorFrom({ ...response, route: routeOf(request.url) })
  return response
}

const routeOf = (url: string): string => `POST ${endpointRoute(url)}`

export interface TokenResponseReaderOptions {
  service: ServiceConfig
  log: Log
  /** Rejects the response to a sign-in without an ID token. Default: false. */
  requireIdToken?: boolean | undefined
}

/** A token response and the time of its arrival. */
export interface ReceivedResponse {
  response: JsonResponse
  /** Epoch ms. */
  receivedAt: number
}

/** Verified tokens of a code exchange or a refresh. */
export interface VerifiedTokens {
  /** `claims` is set only if there was an ID token; otherwise the service has to say whose the tokens are. */
  tokens: TokenSet
  clientId: string
  asked: readonly string[]
  /** Epoch ms of this machine's clock. */
  obtainedAt: number
}

/** Expected properties of a response. */
export interface Expected extends ResultBinding {
  clientId: string
  /** True for a refresh: the response may lack the ID token, and the ID token the nonce (OpenID Connect Core section 12.2). */
  isRefresh?: boolean
}

/**
 * Returns the tokens of a response, with the verified claims of its ID token. Rejects with a ProtocolError: `malformed_response`,
 * `missing_id_token`, `invalid_id_token`, `keys_unavailable`.
 */
export type TokenResponseReader = (
  received: ReceivedResponse,
  expected: Expected,
  signal?: AbortSignal,
) => Promise<VerifiedTokens>

export function createTokenResponseReader(
  options: TokenResponseReaderOptions,
  keys: RemoteJwks,
): TokenResponseReader {
  const { service, log } = options
  return async ({ response, receivedAt }, given, signal) => {
    const { scopes = '', clientId, nonce, isRefresh } = ownFields(given)
    const asked = splitScopes(scopes)
    const tokens = decodeTokenSet(response.body, { requested: asked, now: receivedAt })
    const result = { tokens, clientId, asked, obtainedAt: receivedAt }
    const insists = options.requireIdToken && !isRefresh && asked.includes('openid')
    if (!tokens.idToken && insists) throw new ProtocolError('missing_id_token')
    if (!tokens.idToken) return result
    const accessToken = tokens.accessToken.reveal()
    const expected = {
      issuer: service.issuer,
      clientId,
      accessToken,
      nonce,
      isRefresh,
      now: receivedAt,
      serverDate: response.date,
    }
    const report = (checks: readonly Check[]) => log('info', 'id_token.checked', { checks })
    const { claims } = await verifyIdToken(tokens.idToken.reveal(), expected, { keys, signal, report })
    log('info', 'id_token.verified')
    return { ...result, tokens: { ...tokens, claims } }
  }
}
