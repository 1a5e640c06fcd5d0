/** Details of the selected request, in parts: what was sent and received, its tokens, checks, command and related requests. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RequestDetails as Details } from '../../server/request-details.js'
import type { ListedRequest } from '../control/inspector-data.js'
import { Icon } from '../kit/icon.js'
import { TabPanels, type TabEntry } from '../kit/tab-panels.js'
import { ChecksPart } from './checks-part.js'
import { DecodedPart } from './decoded-part.js'
import { BodyPart, CurlPart, HeadersPart, RawPart } from './message-parts.js'
import { RelatedPart } from './related-part.js'
import { useDetails } from './use-details.js'

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
