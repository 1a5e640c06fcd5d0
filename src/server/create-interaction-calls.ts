/** Calls authorized by an interaction token, without credentials and rate limits (docs/interface/interactions.md#delivery). */
import { ConfigurationError } from '../shared/foundation/errors'
import { monotonic } from '../shared/foundation/monotonic-clock'
import { isRecord, ownFields } from '../shared/foundation/untrusted-values'
import { apiError } from '../shared/http/api-error'
import { sendRetried } from '../shared/http/retry'
import { EMULATOR_RULE, type HttpResponse, sendRequest, type SendContext } from '../shared/http/http-client'
import { userAgent, type ServiceConfig } from '../shared/service/service-config'
import type { InteractionCall, InteractionCalls } from './interactions/interaction-calls'
import { TOKEN_LIFETIME } from './interactions/interaction-times'

/** Passing faults are retried until the call's deadline, unless a retry could create a second message. */
export function createInteractionCalls(context: SendContext, service: ServiceConfig): InteractionCalls {
  const retryContext = { limiter: undefined, clock: monotonic(context.clock), abortGroup: context.abortGroup }
  return {
    send: async (given) => {
      if (context.abortGroup?.aborted) throw new ConfigurationError('closed', 'client')
      const call = ownFields(given)
      const { method, route, appliedCode, deadline = context.clock.now() + TOKEN_LIFETIME } = call
      let mayBeApplied = false
      const response = await sendRetried(retryContext, {
        method,
        route,
        deadline,
        isRepeatable: method !== 'POST' || appliedCode !== undefined,
        isUnsentByEdge: true,
        onRetry: (failure) => (mayBeApplied ||= failure === 'lost' || failure === 'broken'),
        send: () => sendOnce(context, service, { ...call, deadline }),
      })
      const { status, header, body } = response
      if (status >= 400 && !(mayBeApplied && isOfEarlierAttempt(call, response)))
        throw apiError({ status, body, route, emulatorRule: header(EMULATOR_RULE) })
      return body
    },
  }
}

function sendOnce(
  context: SendContext,
  { baseUrl, brand }: ServiceConfig,
  { method, path, route, body, timeout, deadline }: InteractionCall & { deadline: number },
): Promise<HttpResponse> {
  const agent = userAgent(brand)
  const headers = { accept: 'application/json', ...(agent && { 'user-agent': agent }) }
  return sendRequest(context, {
    method,
    url: baseUrl + path,
    route,
    headers: body ? { ...headers, 'content-type': body.contentType } : headers,
    body: body?.content ?? null,
    timeout: Math.max(1, Math.min(timeout, deadline - context.clock.now())),
  })
}

/** True if the error says that an earlier attempt was applied: the message is gone already, or the interaction has its response. */
const isOfEarlierAttempt = (
  { method, appliedCode }: InteractionCall,
  { status, body }: Pick<HttpResponse, 'status' | 'body'>,
): boolean =>
  method === 'DELETE'
    ? status === 404
    : appliedCode !== undefined && isRecord(body) && body['code'] === appliedCode
