/** Calls authorized by an interaction token, without credentials and rate limits (docs/interface/interactions.md#delivery). */
import { ConfigurationError } from '../foundation/errors'
import { apiError } from '../http/to-api-error'
import { sendJson, type SendContext } from '../http/send-rest-request'
import { EMULATOR_RULE } from '../http/request-json'
import { userAgent } from '../http/user-agent'
import type { InteractionCalls } from '../interactions/callback-and-followup-requests'
import type { ServiceConfig } from '../service/service-config'

export function createInteractionCalls(context: SendContext, { baseUrl, brand }: ServiceConfig): InteractionCalls {
  const agent = userAgent(brand)
  return {
    send: async ({ method, path, route, body, timeout }) => {
      if (context.abortGroup.aborted) throw new ConfigurationError('closed', 'client')
      const {
        status,
        header,
        body: responseBody,
      } = await sendJson(context, {
        method,
        url: baseUrl + path,
        route,
        headers: { accept: 'application/json', ...(agent && { 'user-agent': agent }), ...(body && { 'content-type': body.contentType }) },
        body: body?.content ?? null,
        timeout,
      })
      if (status >= 400) throw apiError({ status, body: responseBody, route, emulatorRule: header(EMULATOR_RULE) })
      return responseBody
    },
  }
}
