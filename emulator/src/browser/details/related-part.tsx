/** Part of the details that lists requests of the same sign-in, token, lobby or player. */
import type { RelatedExchange } from '../../exchanges/related-exchanges.js'
import type { ListedRequest } from '../control/inspector-data.js'

interface RelatedProps {
  related: RelatedExchange[]
  /** All requests of the page. */
  requests: ListedRequest[]
  select: (request: ListedRequest) => void
}

export function RelatedPart({ related, requests, select }: RelatedProps) {
  const entries = related.flatMap(({ serial, because }) => {
    const request = requests.find((each) => each.serial === serial)
    return request === undefined ? [] : [{ request, because }]
  })
  if (entries.length === 0) return <p class="empty">No other request belongs to this one.</p>
  return (
    <ul class="related">
      {entries.map(({ request, because }) => (
        <li key={request.serial}>
          <button type="button" onClick={() => select(request)}>
            <strong class={`status status-${String(request.status).charAt(0)}`}>{request.status === 0 ? 'closed' : request.status}</strong>
            <code>
              {request.method} {request.path}
            </code>
            <span class="quiet">
              {because}, {new Date(request.at).toLocaleTimeString('en-GB')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
