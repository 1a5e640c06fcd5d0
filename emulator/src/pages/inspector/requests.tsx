/** Requests panel: the requests as they complete, newest first, with a filter, and the details of the selected one. */
import { useMemo, useState } from 'preact/hooks'
import type { LimitsView, ListedRequest } from './control/inspector-data.js'
import { readFilter, saveFilter, type Filter, createMatch } from './match-request.js'
import { RequestDetails, type DetailsPart } from './details/request-details.js'
import { SaveHar } from './save-har.js'
import { senderWords } from './control/sender-words.js'
import { VirtualList } from '../kit/virtual-list.js'

interface RequestsProps {
  requests: ListedRequest[]
  /** Epoch milliseconds of the emulator's clock. */
  now: number
  /** Undefined until they are read. */
  limits: LimitsView | undefined
}

export function Requests({ requests: all, now, limits }: RequestsProps) {
  const [filter, setFilter] = useState(readFilter)
  const [selected, setSelected] = useState<ListedRequest>()
  const [part, setPart] = useState<DetailsPart>()
  const [kept, setKept] = useState<ListedRequest>()
  const { shown, hold, tools } = useHeld(all)
  const requests = useMemo(
    () => shown.filter(({ ownPage }) => filter.ownPages || ownPage !== true),
    [shown, filter.ownPages],
  )
  const found = useMemo(() => findRequests(requests, filter), [requests, filter])
  const longest = useMemo(() => found.reduce((most, { ms }) => Math.max(most, ms), 1), [found])
  const change = (next: Filter) => {
    saveFilter(next)
    setFilter(next)
  }
  return (
    <section class="panel requests" aria-labelledby="requests-title">
      <header class="requests-head">
        <h2 id="requests-title">Requests</h2>
        <p class="quiet" role="status">
          {found.length} of {requests.length}
          {hold ? ', paused' : ''}
        </p>
        {found.length > 0 && <SaveHar requests={found} />}
        {tools}
      </header>
      <FilterFields filter={filter} change={change} />
      <div class={selected === undefined ? 'log' : 'log split'}>
        {found.length === 0 ? (
          <p class="empty">
            {requests.length === 0 ? 'No requests yet. Sign in with a game.' : 'Nothing matches.'}
          </p>
        ) : (
          <VirtualList
            label="Requests, newest first"
            items={found}
            keyOf={({ serial }) => serial}
            selected={selected}
            select={setSelected}
            classOf={(request) => (isRefused(request) ? 'refused' : '')}
            show={(request) => <RequestRow request={request} longest={longest} />}
          />
        )}
        {selected !== undefined && (
          <RequestDetails
            request={selected}
            requests={all}
            now={now}
            limits={limits}
            part={part ?? (isRefused(selected) ? 'checks' : 'messages')}
            open={setPart}
            select={setSelected}
            close={() => setSelected(undefined)}
            kept={kept}
            keep={setKept}
          />
        )}
      </div>
    </section>
  )
}

/** Buttons that hold the list as it is, and empty it. Both leave the log of the emulator as it is. */
function useHeld(all: ListedRequest[]) {
  const [held, setHeld] = useState<ListedRequest[]>()
  const [cleared, setCleared] = useState(0)
  const hold = held !== undefined
  const shown = useMemo(() => (held ?? all).filter(({ serial }) => serial > cleared), [held, all, cleared])
  const tools = (
    <>
      <button type="button" aria-pressed={hold} onClick={() => setHeld(hold ? undefined : all)}>
        Pause
      </button>
      <button type="button" onClick={() => setCleared(all.at(-1)?.serial ?? 0)}>
        Clear
      </button>
    </>
  )
  return { shown, hold, tools }
}

function FilterFields({ filter, change }: { filter: Filter; change: (next: Filter) => void }) {
  return (
    <div class="filter">
      <label>
        Filter
        <input
          type="search"
          value={filter.text}
          onInput={({ currentTarget }) => change({ ...filter, text: currentTarget.value })}
          placeholder="player:ada status:4xx path:/lobbies, or any word"
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
      <label class="check">
        <input
          type="checkbox"
          checked={filter.ownPages}
          onChange={({ currentTarget }) => change({ ...filter, ownPages: currentTarget.checked })}
        />{' '}
        Own pages too
      </label>
    </div>
  )
}

/** Newest first. */
function findRequests(requests: ListedRequest[], { text, onlyRefused }: Filter): ListedRequest[] {
  const match = createMatch(text)
  return requests.filter((request) => (!onlyRefused || isRefused(request)) && match(request)).toReversed()
}

function isRefused({ status }: ListedRequest): boolean {
  return status >= 400 || status === 0
}

/** @param longest ms of the slowest request of the list, for the bar. */
function RequestRow({
  request: { method, path, status, ms, at, sender, rule, advice, fault },
  longest,
}: {
  request: ListedRequest
  longest: number
}) {
  const notes = [
    rule && `Refused: ${rule}`,
    advice && `Advice: ${advice}`,
    fault && `Fault: ${fault}`,
  ].filter(Boolean)
  return (
    <div class="request">
      <strong class={`status status-${String(status).charAt(0)}`}>{status === 0 ? 'closed' : status}</strong>
      <code>
        {method} {path}
      </code>
      <span class="player" title={sender && senderWords(sender)}>
        {sender?.name}
      </span>
      <span class="notes">{notes.join('. ')}</span>
      <span class="ms">{Math.round(ms)} ms</span>
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${(100 * ms) / longest}%` }} />
      </span>
      <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString('en-GB')}</time>
    </div>
  )
}
