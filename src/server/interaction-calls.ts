/** Calls by an interaction's token: no credential, no rate limit (supplement A.5.1). */
import { apiError } from '../http/api-error'
import { exchange, type ExchangeContext } from '../http/exchange'
import { EMULATOR_RULE } from '../http/request'
import { userAgent } from '../http/user-agent'
import type { InteractionCalls } from '../interactions/calls'
import type { ServiceProfile } from '../service/profile'

export function createInteractionCalls(context: ExchangeContext, { baseUrl, brand }: ServiceProfile): InteractionCalls {
  return {
    send: async ({ method, path, route, body, timeout }) => {
      const {
        status,
        header,
        body: answer,
      } = await exchange(context, {
        method,
        url: baseUrl + path,
        route,
        headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': userAgent(brand) },
        body: body === undefined ? null : JSON.stringify(body),
        timeout,
      })
      if (status >= 400) throw apiError({ status, body: answer, route, emulatorRule: header(EMULATOR_RULE) })
      return answer
    },
  }
}
