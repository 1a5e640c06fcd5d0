/** The requests of the token endpoint: form out, checked JSON in, every refusal typed. Nothing here is ever sent twice. */
import { knownErrorCode } from '../foundation/oauth-error'
import { ApiError, AuthorizationError } from '../foundation/errors'
import { type HttpContext, type JsonAnswer, requestJson } from '../http/request'
import type { OAuthErrorResponse } from '../wire/oauth'

/** How long the token endpoint may take, in ms. */
const TOKEN_TIMEOUT = 10_000

export interface GrantRequest {
  url: string
  /** The form's fields; absent ones are not sent. */
  fields: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

/**
 * Sends one grant (RFC 6749 section 4.1.3, supplement A.4.5).
 * @throws AuthorizationError with the OAuth error. @throws ApiError for any other refusal. And what `requestJson` throws.
 */
export async function requestGrant(http: HttpContext, { url, fields, signal }: GrantRequest): Promise<JsonAnswer> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  const answer = await requestJson(http, { method: 'POST', url, route: 'POST /oauth2/token', form, timeout: TOKEN_TIMEOUT, signal })
  const { error }: OAuthErrorResponse = answer.body
  if (answer.status === 200 && error === undefined) return answer
  throw grantRefusal(answer.status, error)
}

/** RFC 6749 section 5.2. The description is left out: servers quote the request in it. */
function grantRefusal(status: number, error: unknown): AuthorizationError | ApiError {
  if (typeof error !== 'string' || status >= 500 || status === 429) {
    return new ApiError(`http_${status}`, `POST /oauth2/token answered ${status}.`, { status })
  }
  const code = knownErrorCode(error) ?? 'authorization_failed'
  return new AuthorizationError(code, `POST /oauth2/token answered ${status} ${code}.`)
}
