/** Says who sent a request: "player Ada Quinn (ada, 1234)". */
import type { RequestSender } from '../../../exchanges/request-senders.js'

export function senderWords({ kind, id, name, username }: RequestSender): string {
  return `${kind} ${name} (${username === undefined ? '' : `${username}, `}${id})`
}
