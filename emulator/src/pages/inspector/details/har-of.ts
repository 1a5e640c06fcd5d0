/** Requests of the log as an HTTP Archive, with what is masked left masked. */
import type { RequestDetails } from '../../../api/request/request-log.js'
import type { ShownBody } from '../../../exchanges/body-record.js'
import { toHar, type HarExchange } from '../../kit/to-har.js'
import type { ListedRequest } from '../control/inspector-data.js'
import { senderWords } from '../control/sender-words.js'
import { formFields, statusOf, targetOf } from './read-message.js'

export interface LoggedExchange {
  request: ListedRequest
  details: RequestDetails
}

/** @param origin address of the emulator. */
export function harOf(exchanges: readonly LoggedExchange[], origin: string): string {
  return toHar(
    'Foyer emulator',
    exchanges.map((one) => exchangeOf(one, origin)),
  )
}

function exchangeOf({ request, details }: LoggedExchange, origin: string): HarExchange {
  const { method, target, query } = targetOf(details.request)
  const { response } = details
  return {
    method,
    url: origin + target,
    query,
    startedAt: request.at,
    duration: request.ms,
    request: { headers: details.request.headers, body: bodyOf(details.request.body) },
    response: response && {
      headers: response.headers,
      body: bodyOf(response.body),
      status: request.status,
      statusText: statusOf(response).replace(/^\d+ ?/, ''),
    },
    comment: [request.sender && senderWords(request.sender), request.rule && `refused: ${request.rule}`]
      .filter((words) => words !== undefined)
      .join(', '),
  }
}

function bodyOf(body: ShownBody): HarExchange['request']['body'] {
  const { text, type = 'text/plain' } = body
  const params = formFields(body)
  return text === undefined ? undefined : { type, text, ...(params && { params }) }
}
