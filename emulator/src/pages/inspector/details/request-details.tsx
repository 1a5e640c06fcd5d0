/** Details of the selected request, in parts: what was sent and received with its tokens, checks, command, comparison and related requests. */
import type { RequestDetails as Details } from '../../../api/request/request-log.js'
import type { RelatedExchange } from '../../../exchanges/related-exchanges.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Icon } from '../../kit/icon.js'
import { TabPanels, type TabEntry } from '../../kit/tab-panels.js'
import { readDetails } from '../control/inspector-api.js'
import type { LimitsView, ListedRequest } from '../control/inspector-data.js'
import { senderWords } from '../control/sender-words.js'
import { harOf } from './har-of.js'
import { CurlPart, MessagesPart, RawPart } from './message-parts.js'
import { findRefusingLimit } from './refusing-limit.js'
import { RequestDifferences } from './request-differences.js'
import { RequestList } from './request-list.js'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export type DetailsPart = 'messages' | 'raw' | 'checks' | 'curl' | 'compare' | 'related'

interface DetailsProps {
  request: ListedRequest
  /** All requests of the page. */
  requests: ListedRequest[]
  /** Epoch milliseconds of the emulator's clock. */
  now: number
  /** Undefined until they are read. */
  limits: LimitsView | undefined
  part: DetailsPart
  open: (part: DetailsPart) => void
  select: (request: ListedRequest) => void
  close: () => void
  /** Request to compare with. */
  kept: ListedRequest | undefined
  keep: (request: ListedRequest) => void
}

/** Another request begins masked. */
export function RequestDetails(props: DetailsProps) {
  return <OneRequest key={props.request.serial} {...props} />
}

function OneRequest({ request, requests, now, limits, part, open, select, close, kept, keep }: DetailsProps) {
  const [reveal, setReveal] = useState(false)
  const { details, problem } = useDetails(request.serial, { reveal })
  const { details: keptDetails } = useDetails(kept?.serial, { reveal })
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  const show = (content: (loaded: Details) => ComponentChildren) => {
    if (problem !== undefined) return <p class="problem">No details: {problem}</p>
    return details === undefined ? <p class="empty">Loading…</p> : content(details)
  }
  const tabs: TabEntry<DetailsPart>[] = [
    {
      id: 'messages',
      label: 'Messages',
      content: show((loaded) => <MessagesPart details={loaded} now={now} />),
    },
    { id: 'raw', label: 'Raw', content: show((loaded) => <RawPart details={loaded} />) },
    {
      id: 'checks',
      label: 'Checks',
      content: (
        <ChecksPart request={request} details={details}>
          <RefusedByLimit request={request} requests={requests} limits={limits} select={select} />
        </ChecksPart>
      ),
    },
    { id: 'curl', label: 'cURL', content: show((loaded) => <CurlPart details={loaded} />) },
    {
      id: 'compare',
      label: 'Compare',
      content: show((loaded) => (
        <RequestDifferences
          request={request}
          details={loaded}
          kept={kept}
          keptDetails={keptDetails}
          keep={() => keep(request)}
        />
      )),
    },
    {
      id: 'related',
      label: 'Related',
      note: countOf(details?.related),
      content: show(({ related }) => <RelatedPart related={related} requests={requests} select={select} />),
    },
  ]
  return (
    <section class="details" aria-label="Selected request" ref={section}>
      <header>
        <h3>
          <code>
            {request.method} {request.path}
          </code>
        </h3>
        <button type="button" aria-pressed={reveal} onClick={() => setReveal(!reveal)}>
          Reveal all
        </button>
        {details !== undefined && (
          <CopyButton
            what="the request as HAR"
            label="HAR"
            text={() => harOf([{ request, details }], location.origin)}
          />
        )}
        <button type="button" aria-label="Close details" onClick={close}>
          <Icon name="cross" />
        </button>
      </header>
      <TabPanels label="Parts of the request" name="part" tabs={tabs} selected={part} select={open} />
    </section>
  )
}

function countOf(list: readonly unknown[] | undefined): string | undefined {
  return list === undefined || list.length === 0 ? undefined : String(list.length)
}

interface ChecksProps {
  request: ListedRequest
  details: Details | undefined
  /** Behind the rule that refused it. */
  children: ComponentChildren
}

function ChecksPart({ request, details, children }: ChecksProps) {
  const { status, ms, at, sender, rule, advice, fault, limits = [] } = request
  return (
    <dl>
      <Detail term="Status">{status === 0 ? 'closed before a status' : status}</Detail>
      <Detail term="Time">{new Date(at).toLocaleString('en-GB')}</Detail>
      <Detail term="Duration">{ms.toFixed(1)} ms</Detail>
      <Detail term="Sent by">
        {sender === undefined ? 'nobody whom the emulator knows' : senderWords(sender)}
      </Detail>
      {details !== undefined && <Client headers={details.request.headers} />}
      {rule !== undefined && <Detail term="Refused by the rule">{rule}</Detail>}
      {children}
      {advice !== undefined && <Detail term="Advice">{advice}</Detail>}
      {fault !== undefined && <Detail term="Fault that was applied">{fault}</Detail>}
      {limits.map(({ name, limit, remaining, resetAfter }) => (
        <Detail key={name} term={`Limit ${name}`}>
          {limit - remaining} of {limit} used, free again in {Math.ceil(resetAfter / 1000)} s
        </Detail>
      ))}
    </dl>
  )
}

type RefusedProps = Pick<DetailsProps, 'request' | 'requests' | 'limits' | 'select'>

/** Whose limit was used up, since when, and by which requests. */
function RefusedByLimit({ request, requests, limits, select }: RefusedProps) {
  const found = findRefusingLimit(request, { requests, limits })
  const last = found?.counted.at(-1)
  if (found === undefined || last === undefined) return null
  const { use, counts, counted } = found
  const whose = counts === 'player' && request.sender ? senderWords(request.sender) : 'the application'
  const senders = [...new Set(counted.map(({ sender }) => (sender ? senderWords(sender) : 'somebody')))]
  return (
    <>
      <Detail term="Used up">
        <code>{use.name}</code> of {whose}, since {timeOf(last)}
      </Detail>
      <Detail term="By these requests">
        <details>
          <summary>
            {counted.length} of {senders.join(' and of ')}, the first at {timeOf(counted[0] ?? last)}
          </summary>
          <RequestList entries={counted.map((each) => ({ request: each }))} select={select} />
        </details>
      </Detail>
    </>
  )
}

const timeOf = ({ at }: ListedRequest): string => new Date(at).toLocaleTimeString('en-GB')

/** Headers that tell which program sent a request, and from which page. */
const CLIENT = { origin: 'Page', 'user-agent': 'Program' } as const

function Client({ headers }: { headers: Details['request']['headers'] }) {
  return (
    <>
      {Object.entries(CLIENT).map(([header, term]) => {
        const value = headers.find(([name]) => name.toLowerCase() === header)?.[1]
        return (
          value !== undefined && (
            <Detail key={header} term={term}>
              {value}
            </Detail>
          )
        )
      })}
    </>
  )
}

function Detail({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface RelatedProps {
  related: RelatedExchange[]
  /** All requests of the page. */
  requests: ListedRequest[]
  select: (request: ListedRequest) => void
}

function RelatedPart({ related, requests, select }: RelatedProps) {
  const entries = related.flatMap(({ serial, because }) => {
    const request = requests.find((each) => each.serial === serial)
    return request === undefined ? [] : [{ request, because }]
  })
  if (entries.length === 0) return <p class="empty">No other request belongs to this one.</p>
  return <RequestList entries={entries} select={select} />
}

/** Milliseconds: the arrow keys pass many requests. */
const PAUSE = 60

interface LoadedDetails {
  details?: Details
  problem?: string
}

/** Keeps the masked details while the open ones are read. Without a number nothing is read. */
function useDetails(serial: number | undefined, { reveal }: { reveal: boolean }): LoadedDetails {
  const [loaded, setLoaded] = useState<LoadedDetails>({})
  useEffect(() => {
    if (serial === undefined) return undefined
    let isCurrent = true
    const show = (next: LoadedDetails) => {
      if (isCurrent) setLoaded(next)
    }
    const load = () =>
      readDetails(serial, { reveal }).then(
        (details) => show({ details }),
        (error: unknown) => show({ problem: error instanceof Error ? error.message : String(error) }),
      )
    const timer = setTimeout(() => void load(), PAUSE)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [serial, reveal])
  return loaded
}
