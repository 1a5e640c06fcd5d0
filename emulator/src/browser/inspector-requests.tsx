/** Requests panel: the requests as they complete, newest first, with a filter, and the details of the selected one. */
import { h, useMemo, useState } from './preact.js'
import type { ListedRequest } from './inspector-data.js'
import { readFilter, saveFilter, type Filter } from './inspector-filter.js'
import { RequestDetails } from './inspector-request-details.js'
import { VirtualList } from './virtual-list.js'

/** Files of the pages themselves. */
const OWN_FILES = /^\/(?:inspector|assets|chat\/assets)(?:\/|$)/

export function Requests({ requests: all }: { requests: ListedRequest[] }) {
  const [filter, setFilter] = useState(readFilter)
  const [selected, setSelected] = useState<ListedRequest>()
  const requests = useMemo(() => all.filter(({ path }) => !OWN_FILES.test(path)), [all])
  const found = useMemo(() => requests.filter((request) => matches(request, filter)).toReversed(), [requests, filter])
  const change = (next: Filter) => {
    saveFilter(next)
    setFilter(next)
  }
  return (
    <section class="panel requests" aria-labelledby="requests-title">
      <h2 id="requests-title">Requests</h2>
      <div class="filter">
        <label>
          Filter
          <input
            type="search"
            value={filter.text}
            onInput={({ currentTarget }) => change({ ...filter, text: currentTarget.value })}
            placeholder="path, status or rule"
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.onlyRefused}
            onChange={({ currentTarget }) => change({ ...filter, onlyRefused: currentTarget.checked })}
          />{' '}
          Refused only
        </label>
      </div>
      <p class="quiet" role="status">
        {found.length} of {requests.length}
      </p>
      {found.length === 0 ? (
        <p class="empty">{requests.length === 0 ? 'No requests yet. Sign in with a game.' : 'Nothing matches.'}</p>
      ) : (
        <VirtualList
          label="Requests, newest first"
          items={found}
          keyOf={({ serial }) => serial}
          selected={selected}
          select={setSelected}
          classOf={(request) => (isRefused(request) ? 'refused' : '')}
          show={(request) => <Row request={request} />}
        />
      )}
      {selected !== undefined && <RequestDetails request={selected} close={() => setSelected(undefined)} />}
    </section>
  )
}

function matches(request: ListedRequest, { text, onlyRefused }: Filter): boolean {
  if (onlyRefused && !isRefused(request)) return false
  const { method, path, status, rule = '' } = request
  return `${method} ${path} ${status} ${rule}`.toLowerCase().includes(text.toLowerCase())
}

function isRefused({ status }: ListedRequest): boolean {
  return status >= 400 || status === 0
}

function Row({ request: { method, path, status, ms, at, rule, advice, fault } }: { request: ListedRequest }) {
  const notes = [rule && `Refused: ${rule}`, advice && `Advice: ${advice}`, fault && `Fault: ${fault}`].filter(Boolean)
  return (
    <div class="request">
      <span class="first">
        <strong>{status === 0 ? 'closed' : status}</strong>{' '}
        <code>
          {method} {path}
        </code>
      </span>
      <span class="second">
        <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString('en-GB')}</time>{' '}
        <span class="quiet">{Math.round(ms)} ms</span> {notes.join('. ')}
      </span>
    </div>
  )
}
