/** Requests about a player's accounts: a form or JSON out, checked JSON in, and a typed error for each error response. */
import type { ApiError, AuthorizationError } from '../../foundation/errors'
import { authorizationErrorFrom, ruleOf } from '../../foundation/oauth-errors'
import { apiError } from '../../http/api-error'
import { formContent, type HttpRequest, type JsonResponse, type SendJson } from '../../http/http-client'

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
