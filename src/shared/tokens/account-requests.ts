/** Requests about a player's accounts: a form or JSON out, checked JSON in, and a typed error for each error response. */
import { type ApiError, type AuthorizationError, ConfigurationError } from '../foundation/errors'
import { toApplicationId } from '../foundation/ids'
import { requireNames } from '../foundation/options'
import { authorizationErrorFrom, ruleOf } from '../foundation/oauth-errors'
import { reveal, type Secret } from '../foundation/secret'
import { isText, ownFields } from '../foundation/untrusted-values'
import { apiError } from '../http/api-error'
import { formContent, type HttpRequest, type JsonResponse, type SendJson } from '../http/http-client'
import type { ServiceConfig } from '../service/service-config'

/** Fields of a request; undefined fields are not sent. */
export type Fields = Readonly<Record<string, string | undefined>>

export interface AccountRequest extends Pick<HttpRequest, 'url' | 'signal' | 'isStatusEnough'> {
  /** Route for use in errors: `POST /partner-sdk/token`. */
  route: string
  /**
   * The token endpoint and the device endpoint accept forms only, the others JSON only (docs/interface/README.md#requests,
   * docs/interface/authorization.md#endpoints).
   */
  as: 'form' | 'json'
  fields: Fields
}

/**
 * Sends the request once.
 * @throws AuthorizationError with the OAuth error. @throws ApiError with the service's error number. @throws the errors of `requestJson`.
 */
export async function requestAccount(send: SendJson, request: AccountRequest): Promise<JsonResponse> {
  const response = await sendAccountRequest(send, request)
  const error = errorFromResponse(response, request.route)
  if (error) throw error
  return response
}

/** Like `requestAccount`, but resolves with error responses too. */
export function sendAccountRequest(
  send: SendJson,
  { as, fields, ...request }: AccountRequest,
): Promise<JsonResponse> {
  const given = Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const content =
    as === 'form' ? formContent(given) : { type: 'application/json', text: JSON.stringify(given) }
  return send({ method: 'POST', ...request, content })
}

/**
 * The error of an error response; undefined for success. Sign-in errors have OAuth codes, account errors the service's numbers
 * (docs/interface/accounts.md#error-numbers).
 */
export function errorFromResponse(
  { status, body, emulatorRule }: JsonResponse,
  route: string,
): AuthorizationError | ApiError | undefined {
  const { error } = body
  if (status < 300 && error === undefined) return undefined
  if (typeof error === 'string' && status < 500 && status !== 429)
    return authorizationErrorFrom(error, undefined, ruleOf(emulatorRule))
  return apiError({ status, body, route, emulatorRule })
}

// Identity at another service, proven by a token of that service.

/** Proof of an account at another service (docs/interface/accounts.md#external-proofs). */
export interface ExternalAccount {
  /**
   * Type of the proof: `OIDC`, the name of a platform, or `SERVICE_BOT_ISSUED_ACCESS_TOKEN` for an account created by the game's backend.
   */
  externalAuthType: string
  /** The proof: an ID token of that service, or the access token of a provisional account. */
  externalAuthToken: Secret | string
}

const TYPE = /^[A-Z][A-Z0-9_]{0,99}$/
/** In any format. */
const TOKEN = /^[^]{1,10240}$/

/**
 * The request fields for an external account.
 * @param beside names of the other fields of the same object. Default: none.
 * @throws ConfigurationError `invalid_argument`, also for an unknown name.
 */
export function externalFields(account: ExternalAccount, beside: readonly string[] = []): Fields {
  const given = ownFields({ ...account })
  requireNames(given, ['externalAuthType', 'externalAuthToken', ...beside])
  const { externalAuthType: type, externalAuthToken } = given
  const token = reveal(externalAuthToken)
  if (!isText(type, TYPE)) throw new ConfigurationError('invalid_argument', 'externalAuthType')
  if (!isText(token, TOKEN)) throw new ConfigurationError('invalid_argument', 'externalAuthToken')
  return { external_auth_type: type, external_auth_token: token }
}

// Provisional accounts, for players without an account (docs/interface/accounts.md#provisional-accounts).

/** Scopes of a provisional account. The service always sends an ID token, so `openid` is included. */
export const PROVISIONAL_SCOPES = 'openid sdk.social_layer'

/** Dependencies of these requests. */
export interface AccountContext {
  service: ServiceConfig
  clientId: string
  signal?: AbortSignal | undefined
}

/** Requests a token for the account of an external identity; the service creates the account if there is none. */
export function provisionalTokenRequest(account: ExternalAccount, context: AccountContext): AccountRequest {
  return partnerRequest(
    '/partner-sdk/token',
    { client_id: context.clientId, ...externalFields(account) },
    context,
  )
}

/** Removes an external identity from a full account, so that its next token is for an account of its own. */
export function unmergeRequest(account: ExternalAccount, context: AccountContext): AccountRequest {
  return partnerRequest(
    '/partner-sdk/provisional-accounts/unmerge',
    { client_id: context.clientId, ...externalFields(account) },
    context,
  )
}

/** These endpoints send null or an empty refresh token instead of leaving the field out as in RFC 6749. */
export function withoutEmptyRefresh({ body, ...answer }: JsonResponse): JsonResponse {
  const { access_token, token_type, expires_in, refresh_token, scope, id_token } = body
  return {
    ...answer,
    body: {
      access_token,
      token_type,
      expires_in,
      refresh_token: refresh_token || undefined,
      scope,
      id_token,
    },
  }
}

/** A request to an endpoint that accepts JSON. Without a client secret, since pages are public clients. */
function partnerRequest(
  path: string,
  fields: Fields,
  { service, signal }: Omit<AccountContext, 'clientId'>,
): AccountRequest {
  return { url: service.baseUrl + path, route: `POST ${path}`, as: 'json', fields, signal }
}

// Tokens for child applications of a publisher, requested with the token of the parent application (docs/interface/accounts.md#child-tokens).

interface ChildTokenContext {
  service: ServiceConfig
  signal?: AbortSignal | undefined
}

/** @throws ConfigurationError `invalid_argument`. */
export function childTokenRequest(
  parentToken: Secret | string,
  childApplicationId: unknown,
  context: ChildTokenContext,
): AccountRequest {
  const parent = reveal(parentToken)
  const child = toApplicationId(childApplicationId)
  if (typeof parent !== 'string' || !parent) throw new ConfigurationError('invalid_argument', 'parentToken')
  if (!child) throw new ConfigurationError('invalid_argument', 'childApplicationId')
  return partnerRequest(
    '/partner-sdk/child-token',
    { parent_access_token: parent, child_application_id: child },
    context,
  )
}
