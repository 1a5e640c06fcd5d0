/** List of requests that lead to their details. */
import type { ListedRequest } from '../control/inspector-data.js'

interface Props {
  entries: readonly {
    request: ListedRequest
    /** Why it is listed, before its time. Default: nothing. */
    because?: string
  }[]
  select: (request: ListedRequest) => void
}

export function RequestList({ entries, select }: Props) {
  return (
    <ul class="related">
      {entries.map(({ request, because }) => (
        <li key={request.serial}>
          <button type="button" onClick={() => select(request)}>
            <strong class={`status status-${String(request.status).charAt(0)}`}>
              {request.status === 0 ? 'closed' : request.status}
            </strong>
            <code>
              {request.method} {request.path}
            </code>
            <span class="quiet">
              {because === undefined ? '' : `${because}, `}
              {new Date(request.at).toLocaleTimeString('en-GB')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
