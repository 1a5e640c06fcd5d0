/** One request of the token endpoint: form out, checked JSON in. Nothing is ever sent twice. */
import { tokenErrorFrom } from '../foundation/token-error'
import { type HttpContext, type JsonAnswer, requestJson } from '../http/request'

/** How long the token endpoint may take, in ms. */
const TIMEOUT = 10_000

export interface TokenRequest {
  url: string
  /** The form's fields; absent ones are not sent. */
  fields: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

/** Sends one grant (RFC 6749 section 4.1.3, supplement A.4.5), whatever the answer says. @throws what `requestJson` throws. */
export function postTokenRequest(http: HttpContext, { url, fields, signal }: TokenRequest): Promise<JsonAnswer> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value) form.set(name, value)
  return requestJson(http, { method: 'POST', url, route: 'POST /oauth2/token', form, timeout: TIMEOUT, signal })
}

/** The same; what is no grant rejects. @throws AuthorizationError with the OAuth error. @throws ApiError for any other refusal. */
export async function requestTokens(http: HttpContext, request: TokenRequest): Promise<JsonAnswer> {
  const answer = await postTokenRequest(http, request)
  if (answer.status !== 200 || answer.body['error'] !== undefined) throw tokenErrorFrom(answer)
  return answer
}
