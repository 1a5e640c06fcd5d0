/** Requests to the token endpoint: form out, checked JSON in. Requests are never repeated. */
import { tokenErrorFrom } from '../../foundation/token-endpoint-error'
import { formContent, type HttpContext, type JsonResponse, requestJson } from '../../http/request-json'
import { endpointRoute } from '../../service/endpoint-route'

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
export function postTokenRequest(http: HttpContext, { url, fields, signal }: TokenRequest): Promise<JsonResponse> {
  const given = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return requestJson(http, { method: 'POST', url, route: routeOf(url), content: formContent(Object.fromEntries(given)), signal })
}

/**
 * Like `postTokenRequest`, but rejects for error responses. @throws AuthorizationError with the OAuth error. @throws ApiError for any other
 * error response.
 */
export async function requestTokens(http: HttpContext, request: TokenRequest): Promise<JsonResponse> {
  const response = await postTokenRequest(http, request)
  if (response.status !== 200 || response.body['error'] !== undefined) throw tokenErrorFrom({ ...response, route: routeOf(request.url) })
  return response
}

const routeOf = (url: string): string => `POST ${endpointRoute(url)}`
