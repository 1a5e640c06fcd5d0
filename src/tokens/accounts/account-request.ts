/** One request about a player's accounts: a form or JSON out, a checked JSON object in, every refusal under a code of its own. */
import type { ApiError, AuthorizationError } from '../../foundation/errors'
import { authorizationErrorFrom, ruleOf } from '../../foundation/oauth-errors'
import { apiError } from '../../http/api-error'
import type { HttpRequest, JsonAnswer, SendJson } from '../../http/request'

/** How long one may take, in ms: what the token endpoint may. */
const TIMEOUT = 10_000

/** Names and values as they travel; absent ones are not sent. */
export type Fields = Readonly<Record<string, string | undefined>>

export interface AccountRequest extends Pick<HttpRequest, 'url' | 'signal'> {
  /** As it may stand in an error: `POST /partner-sdk/token`. */
  route: string
  /** The token endpoint and the device endpoint take nothing but a form, the others nothing but JSON (supplement 0.3, A.4.1). */
  as: 'form' | 'json'
  fields: Fields
}

/**
 * Sends it once.
 * @throws AuthorizationError with the OAuth error. @throws ApiError with the service's own. And what `requestJson` throws.
 */
export async function requestAccount(send: SendJson, request: AccountRequest): Promise<JsonAnswer> {
  const answer = await sendAccountRequest(send, request)
  const refusal = refusalOf(answer, request.route)
  if (refusal) throw refusal
  return answer
}

/** The same, refusals included. */
export function sendAccountRequest(send: SendJson, { as, fields, ...request }: AccountRequest): Promise<JsonAnswer> {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const sent =
    as === 'form'
      ? { form: new URLSearchParams(given) }
      : { content: new Blob([JSON.stringify(Object.fromEntries(given))], { type: 'application/json' }) }
  return send({ method: 'POST', timeout: TIMEOUT, ...request, ...sent })
}

/** Undefined for an answer that is none. Sign-ins are refused in the words of OAuth, accounts by the service's numbers (supplement A.4.6). */
export function refusalOf({ status, body, emulatorRule }: JsonAnswer, route: string): AuthorizationError | ApiError | undefined {
  const { error } = body
  if (status < 300 && error === undefined) return undefined
  if (typeof error === 'string' && status < 500 && status !== 429) return authorizationErrorFrom(error, undefined, ruleOf(emulatorRule))
  return apiError({ status, body, route, emulatorRule })
}
