/** Details of the selected request, in parts: what was sent and received, its tokens, checks, command and related requests. */
import type { RequestDetails as Details } from '../../../api/request/request-log.js'
import type { RequestSender } from '../../../exchanges/request-senders.js'
import type { ShownToken } from '../../../exchanges/exchange-view.js'
import type { RelatedExchange } from '../../../exchanges/related-exchanges.js'
import { CopiedText } from '../../kit/copied-text.js'
import { EncodedToken } from '../../kit/encoded-token.js'
import { Icon } from '../../kit/icon.js'
import { TabPanels, type TabEntry } from '../../kit/tab-panels.js'
import { read } from '../control/inspector-api.js'
import type { ListedRequest } from '../control/inspector-data.js'
import { BodyPart, CurlPart, HeadersPart, RawPart } from './message-parts.js'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export type DetailsPart = 'headers' | 'body' | 'raw' | 'decoded' | 'checks' | 'curl' | 'related'

interface DetailsProps {
  request: ListedRequest
  /** All requests of the page. */
  requests: ListedRequest[]
  /** Epoch milliseconds of the emulator's clock. */
  now: number
  part: DetailsPart
  open: (part: DetailsPart) => void
  select: (request: ListedRequest) => void
  close: () => void
}

/** Another request begins masked. */
export function RequestDetails(props: DetailsProps) {
  return <OneRequest key={props.request.serial} {...props} />
}

function OneRequest({ request, requests, now, part, open, select, close }: DetailsProps) {
  const [reveal, setReveal] = useState(false)
  const { details, problem } = useDetails(request.serial, { reveal })
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  const show = (content: (loaded: Details) => ComponentChildren) => {
    if (problem !== undefined) return <p class="problem">No details: {problem}</p>
    return details === undefined ? <p class="empty">Loading…</p> : content(details)
  }
  const tabs: TabEntry<DetailsPart>[] = [
    { id: 'headers', label: 'Headers', content: show((loaded) => <HeadersPart details={loaded} />) },
    { id: 'body', label: 'Body', content: show((loaded) => <BodyPart details={loaded} />) },
    { id: 'raw', label: 'Raw', content: show((loaded) => <RawPart details={loaded} />) },
    {
      id: 'decoded',
      label: 'Decoded',
      note: countOf(details?.tokens),
      content: show(({ tokens }) => <DecodedPart tokens={tokens} now={now} />),
    },
    { id: 'checks', label: 'Checks', content: <ChecksPart request={request} /> },
    { id: 'curl', label: 'cURL', content: show((loaded) => <CurlPart details={loaded} />) },
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

/** Who sent a request: "player Ada Quinn (ada, 1234)". */
export function senderWords({ kind, id, name, username }: RequestSender): string {
  return `${kind} ${name} (${username === undefined ? '' : `${username}, `}${id})`
}

function ChecksPart({ request }: { request: ListedRequest }) {
  const { status, ms, at, sender, rule, advice, fault, limits = [] } = request
  return (
    <dl>
      <Detail term="Status">{status === 0 ? 'closed before a status' : status}</Detail>
      <Detail term="Time">{new Date(at).toLocaleString('en-GB')}</Detail>
      <Detail term="Duration">{ms.toFixed(1)} ms</Detail>
      <Detail term="Sent by">
        {sender === undefined ? 'nobody whom the emulator knows' : senderWords(sender)}
      </Detail>
      {rule !== undefined && <Detail term="Refused by the rule">{rule}</Detail>}
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
              {because}, {new Date(request.at).toLocaleTimeString('en-GB')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** @param now epoch milliseconds of the emulator's clock. */
function DecodedPart({ tokens, now }: { tokens: ShownToken[]; now: number }) {
  if (tokens.length === 0)
    return <p class="empty">This request has no token with readable parts (JSON Web Token).</p>
  return (
    <>
      {tokens.map((token, index) => (
        <Token key={index} token={token} now={now} />
      ))}
    </>
  )
}

function Token({
  token: { name, encoded, header, claims, expiresAt },
  now,
}: {
  token: ShownToken
  now: number
}) {
  return (
    <section aria-label={name}>
      <h4>
        {name} {expiresAt !== undefined && <span class="quiet">{expiryWords(expiresAt, now)}</span>}
      </h4>
      <div class="decoded">
        <CopiedText head={<span>Encoded</span>} what={`${name}, encoded`} copied={encoded}>
          <EncodedToken token={encoded} />
        </CopiedText>
        <div>
          <CopiedText head={<span>Header</span>} what={`the header of ${name}`} copied={header} />
          <CopiedText head={<span>Claims</span>} what={`the claims of ${name}`} copied={claims} />
        </div>
      </div>
    </section>
  )
}

/** Milliseconds: the arrow keys pass many requests. */
const PAUSE = 60

interface LoadedDetails {
  details?: Details
  problem?: string
}

/** Keeps the masked details while the open ones are read. */
function useDetails(serial: number, { reveal }: { reveal: boolean }): LoadedDetails {
  const [loaded, setLoaded] = useState<LoadedDetails>({})
  useEffect(() => {
    let isCurrent = true
    const show = (next: LoadedDetails) => {
      if (isCurrent) setLoaded(next)
    }
    const load = () =>
      read<Details>(`requests/${serial}${reveal ? '?reveal=true' : ''}`).then(
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

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** An hour less a second is one hour. @param at epoch seconds. @param now epoch milliseconds of the emulator's clock. */
function expiryWords(at: number, now: number): string {
  const seconds = Math.round(at - now / 1000)
  const distance = Math.abs(seconds)
  const [unit, length] = UNITS.find(([, each]) => distance >= 0.99 * each) ?? UNITS[3]
  const count = Math.round(distance / length)
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`
  return seconds > 0 ? `expires in ${words}` : `expired ${words} ago`
}
